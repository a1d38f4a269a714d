/// How tests wait for progress, and what they report when there is none.
@NullMarked
package dev.artel.waits;

import org.jspecify.annotations.NullMarked;
