package dev.artel.blueprint;

import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// Jobs of a [BlueprintDefinition] that begin by themselves, without input. For more, write [Blueprint#schedule].
///
/// ```java
/// @ScheduledJob(name = "nightly", cron = "30 2 * * *", zone = "Europe/Berlin")
/// ```
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@Repeatable(ScheduledJobsOfBlueprint.class)
public @interface ScheduledJob {
    /// The name of the schedule.
    String name();

    /// Minute, hour, day of the month, month and day of the week, with the second in front or without.
    String cron();

    /// A time zone of the tz database.
    String zone() default "UTC";

    /// What becomes of a tick while a job of an earlier one has not ended.
    JobSchedule.Overlap overlap() default JobSchedule.Overlap.SKIP;
}
