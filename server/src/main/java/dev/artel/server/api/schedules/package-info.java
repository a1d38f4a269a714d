/// Schedules: writing, watching and controlling jobs that begin by the clock.
@NullMarked
package dev.artel.server.api.schedules;

import org.jspecify.annotations.NullMarked;
