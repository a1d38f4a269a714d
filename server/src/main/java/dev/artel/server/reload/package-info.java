/// What can be read again while the orchestrator runs, and what came of it.
@NullMarked
package dev.artel.server.reload;

import org.jspecify.annotations.NullMarked;
