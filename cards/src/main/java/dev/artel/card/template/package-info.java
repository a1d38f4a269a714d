/// References to values, `${path}`, in the texts of a card.
@NullMarked
package dev.artel.card.template;

import org.jspecify.annotations.NullMarked;
