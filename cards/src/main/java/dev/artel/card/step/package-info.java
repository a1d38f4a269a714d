/// The steps of a card, as they are written.
@NullMarked
package dev.artel.card.step;

import org.jspecify.annotations.NullMarked;
