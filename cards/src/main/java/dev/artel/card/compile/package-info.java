/// Makes blueprints of cards: each step becomes a state, or a few.
@NullMarked
package dev.artel.card.compile;

import org.jspecify.annotations.NullMarked;
