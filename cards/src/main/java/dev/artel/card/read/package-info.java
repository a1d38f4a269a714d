/// Reads cards, and finds all that is wrong with them.
@NullMarked
package dev.artel.card.read;

import org.jspecify.annotations.NullMarked;
