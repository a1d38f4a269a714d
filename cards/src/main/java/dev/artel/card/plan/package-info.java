/// What running a card would come to.
@NullMarked
package dev.artel.card.plan;

import org.jspecify.annotations.NullMarked;
