/// What can be read again while the orchestrator runs, and the outcome.
@NullMarked
package dev.artel.server.reload;

import org.jspecify.annotations.NullMarked;
