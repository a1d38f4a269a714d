/// Schedules of an orchestrator that runs.
@NullMarked
package dev.artel.server.schedules;

import org.jspecify.annotations.NullMarked;
