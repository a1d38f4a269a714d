/// What schedules do: pure functions of a schedule, its state and the time.
@NullMarked
package dev.artel.schedule.rules;

import org.jspecify.annotations.NullMarked;
