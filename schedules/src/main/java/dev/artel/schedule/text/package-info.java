/// Schedules as JSON: what people write, and what is kept.
@NullMarked
package dev.artel.schedule.text;

import org.jspecify.annotations.NullMarked;
