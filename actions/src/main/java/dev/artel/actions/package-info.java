/// Task types that the orchestrator does itself, as handlers of a worker.
@NullMarked
package dev.artel.actions;

import org.jspecify.annotations.NullMarked;
