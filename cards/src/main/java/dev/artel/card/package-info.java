/// Process cards: blueprints written in YAML.
@NullMarked
package dev.artel.card;

import org.jspecify.annotations.NullMarked;
