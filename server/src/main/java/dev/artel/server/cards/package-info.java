/// Process cards: their files, their versions, and which of them are in force.
@NullMarked
package dev.artel.server.cards;

import org.jspecify.annotations.NullMarked;
