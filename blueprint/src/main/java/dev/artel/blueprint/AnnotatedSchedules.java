package dev.artel.blueprint;

import java.time.DateTimeException;
import java.time.ZoneId;

/// The schedules of annotated classes.
final class AnnotatedSchedules {
    private AnnotatedSchedules() {}

    /// `definition` with the schedules with which `type` is marked.
    ///
    /// @throws IllegalArgumentException if one has a name or a zone that cannot be
    static dev.artel.kernel.blueprint.Blueprint added(
            Class<?> type, dev.artel.kernel.blueprint.Blueprint definition) {
        var scheduled = definition;
        for (var marked : type.getAnnotationsByType(ScheduledJob.class)) {
            Names.check("a schedule's name", marked.name());
            scheduled =
                    scheduled.withSchedule(
                            marked.name(),
                            JobSchedule.cron(marked.cron(), zone(type, marked))
                                    .withOverlap(marked.overlap())
                                    .written());
        }
        return scheduled;
    }

    private static ZoneId zone(Class<?> type, ScheduledJob marked) {
        try {
            return ZoneId.of(marked.zone());
        } catch (DateTimeException unknown) {
            throw new IllegalArgumentException(
                    "schedule '"
                            + marked.name()
                            + "' of "
                            + type.getName()
                            + ": there is no time zone '"
                            + marked.zone()
                            + "'",
                    unknown);
        }
    }
}
