/// YAML as a tree of which each part knows where it was written.
@NullMarked
package dev.artel.card.yaml;

import org.jspecify.annotations.NullMarked;
