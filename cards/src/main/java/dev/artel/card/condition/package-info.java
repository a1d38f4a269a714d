/// Conditions of cards, translated to CEL.
@NullMarked
package dev.artel.card.condition;

import org.jspecify.annotations.NullMarked;
