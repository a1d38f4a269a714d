/// What becomes of the process when a part of the orchestrator fails.
@NullMarked
package dev.artel.server.supervision;

import org.jspecify.annotations.NullMarked;
