package dev.artel.schedule.timing;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.time.zone.ZoneRules;
import java.util.Optional;

/// The instants of a cron expression in a zone. The library behind [CronExpression] counts wall-clock times only; the instants that
/// show them are chosen here, since it drops ticks in gaps and doubles some in overlaps.
record WallClock(CronExpression expression, ZoneId zone) {
    /// More changes of the clock lie before no tick: a leap day is at most eight years away.
    private static final int MOST_CHANGES = 100;

    Optional<Instant> next(Instant after) {
        return expression.isEachHour() ? nextShown(after) : nextOnce(after);
    }

    /// Each time once: in a gap at its end, in an overlap at the first instant.
    private Optional<Instant> nextOnce(Instant after) {
        var rules = zone.getRules();
        var local = expression.next(begin(rules, after));
        while (local.isPresent()) {
            var instant = first(rules, local.get());
            if (instant.isAfter(after)) {
                return Optional.of(instant);
            }
            local = expression.next(local.get());
        }
        return Optional.empty();
    }

    /// Times of the second pass of an overlap had their tick in the first one.
    private static LocalDateTime begin(ZoneRules rules, Instant after) {
        var local = LocalDateTime.ofInstant(after, rules.getOffset(after));
        var change = rules.getTransition(local);
        return change != null && change.isOverlap() && !after.isBefore(change.getInstant())
                ? change.getDateTimeBefore().minusSeconds(1)
                : local;
    }

    private static Instant first(ZoneRules rules, LocalDateTime local) {
        var change = rules.getTransition(local);
        if (change != null && change.isGap()) {
            return change.getInstant();
        }
        // Of two offsets the first is that before the change.
        return local.toInstant(rules.getValidOffsets(local).getFirst());
    }

    /// Each instant that shows a time of the expression.
    private Optional<Instant> nextShown(Instant after) {
        var rules = zone.getRules();
        var offset = rules.getOffset(after);
        var local = expression.next(LocalDateTime.ofInstant(after, offset));
        var change = rules.nextTransition(after);
        for (var changes = 0; changes < MOST_CHANGES && local.isPresent(); changes++) {
            var candidate = local.get().toInstant(offset);
            if (change == null || candidate.isBefore(change.getInstant())) {
                return Optional.of(candidate);
            }
            offset = change.getOffsetAfter();
            var begin =
                    LocalDateTime.ofInstant(change.getInstant(), offset)
                            .truncatedTo(ChronoUnit.SECONDS)
                            .minusSeconds(1);
            local = expression.next(begin);
            change = rules.nextTransition(change.getInstant());
        }
        return Optional.empty();
    }
}
