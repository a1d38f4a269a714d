/// When schedules are due: cron expressions, intervals and single instants, through changes of daylight saving.
@NullMarked
package dev.artel.schedule.timing;

import org.jspecify.annotations.NullMarked;
