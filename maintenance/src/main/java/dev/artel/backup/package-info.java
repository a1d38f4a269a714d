/// A copy of all that is committed that is kept elsewhere while the orchestrator runs, and the way back from it.
@NullMarked
package dev.artel.backup;

import org.jspecify.annotations.NullMarked;
