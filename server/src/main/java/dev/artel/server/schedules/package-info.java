/// Schedules of this orchestrator: how their jobs are submitted.
@NullMarked
package dev.artel.server.schedules;

import org.jspecify.annotations.NullMarked;
