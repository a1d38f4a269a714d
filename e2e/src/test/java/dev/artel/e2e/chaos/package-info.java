/// Whether the checker of the chaos program sees what it looks for.
@NullMarked
package dev.artel.e2e.chaos;

import org.jspecify.annotations.NullMarked;
