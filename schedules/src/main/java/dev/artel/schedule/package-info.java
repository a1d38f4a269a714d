/// Schedules: jobs that begin by the clock. The shell around the rules.
@NullMarked
package dev.artel.schedule;

import org.jspecify.annotations.NullMarked;
