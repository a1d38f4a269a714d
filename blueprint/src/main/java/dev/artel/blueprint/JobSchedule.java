package dev.artel.blueprint;

import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.json.bind.Writing;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.Collection;
import java.util.Locale;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// When jobs of a blueprint begin by themselves, and with what. Immutable.
///
/// ```java
/// Blueprint.states(INVOICES)...build()
///         .schedule("nightly", JobSchedule.everyDay(LocalTime.of(2, 30), ZoneId.of("Europe/Berlin"))
///                 .withInput(new InvoiceRun("all"))
///                 .withOverlap(JobSchedule.Overlap.QUEUE));
/// ```
///
/// The orchestrator checks the rest when it takes the blueprint up. Operators pause and resume it as any other schedule.
public final class JobSchedule {
    private final JsonObject written;

    private JobSchedule(JsonObject written) {
        this.written = written;
    }

    /// What becomes of a tick while a job of an earlier one has not ended.
    public enum Overlap {
        /// It is dropped.
        SKIP,
        /// It waits.
        QUEUE,
        /// It cancels the earlier jobs.
        CANCEL_OLD,
        /// It runs beside them.
        ALLOW
    }

    /// What becomes of ticks that were missed, since the orchestrator was down.
    public enum CatchUp {
        /// They are dropped.
        NONE,
        /// The last one runs.
        LAST,
        /// All run.
        ALL
    }

    /// By the times of a cron expression: minute, hour, day of the month, month and day of the week, with the second in front or without.
    public static JobSchedule cron(String expression, ZoneId zone) {
        return new JobSchedule(
                JsonObject.builder().put("cron", expression).put("zone", zone.getId()).build());
    }

    /// Every day at `time`, to the second.
    public static JobSchedule everyDay(LocalTime time, ZoneId zone) {
        return cron(at(time) + " * * *", zone);
    }

    /// On `days` of each week at `time`.
    ///
    /// @throws IllegalArgumentException if there are no days
    public static JobSchedule weekly(Collection<DayOfWeek> days, LocalTime time, ZoneId zone) {
        return cron(
                at(time)
                        + " * * "
                        + listed(days.stream().map(DayOfWeek::getValue).toList(), "days", 7),
                zone);
    }

    /// On `dates` of each month, from 1 to 31, at `time`; months without one leave it out.
    ///
    /// @throws IllegalArgumentException if there are no dates, or others
    public static JobSchedule monthly(Collection<Integer> dates, LocalTime time, ZoneId zone) {
        return cron(at(time) + " " + listed(dates, "dates", 31) + " * *", zone);
    }

    /// Each `interval`, from when the orchestrator first knows of it.
    ///
    /// @throws IllegalArgumentException if it is no whole number of seconds above 0
    public static JobSchedule every(Duration interval) {
        if (!interval.isPositive() || !interval.equals(Duration.ofSeconds(interval.toSeconds()))) {
            throw new IllegalArgumentException(
                    "the interval of a schedule is a whole number of seconds, at least one, was "
                            + interval);
        }
        return new JobSchedule(JsonObject.of("every_seconds", JsonNumber.of(interval.toSeconds())));
    }

    private static String at(LocalTime time) {
        return time.getSecond() + " " + time.getMinute() + " " + time.getHour();
    }

    private static String listed(Collection<Integer> numbers, String what, int most) {
        var sorted = new TreeSet<>(numbers);
        if (sorted.isEmpty() || sorted.first() < 1 || sorted.last() > most) {
            throw new IllegalArgumentException(
                    "a schedule has " + what + " from 1 to " + most + ", was " + numbers);
        }
        return sorted.stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    /// This schedule, whose jobs begin with `input`: a record or a JSON object.
    ///
    /// @throws IllegalArgumentException if it cannot be written as JSON
    public JobSchedule withInput(Object input) {
        return with("input", Writing.json(input));
    }

    /// This schedule with another rule for overlaps; [Overlap#SKIP] by default.
    public JobSchedule withOverlap(Overlap overlap) {
        return with("overlap", word(overlap));
    }

    /// This schedule with another rule for missed ticks; [CatchUp#LAST] by default.
    public JobSchedule withCatchUp(CatchUp catchUp) {
        return with("catch_up", word(catchUp));
    }

    /// This schedule, each of whose jobs is later by up to `most`, at most an hour, always the same for one tick.
    public JobSchedule withJitter(Duration most) {
        return with("jitter_seconds", JsonNumber.of(most.toSeconds()));
    }

    /// This schedule, whose jobs run as `client`; `default` if nothing else is set.
    public JobSchedule withClient(String client) {
        return with("client", new JsonString(client));
    }

    /// This schedule, whose jobs have `priority`.
    public JobSchedule withPriority(double priority) {
        return with("priority", JsonNumber.of(priority));
    }

    /// This schedule, whose jobs fail if they have not ended `most` after their submission.
    public JobSchedule withDeadline(Duration most) {
        return with("deadline_seconds", JsonNumber.of(most.toSeconds()));
    }

    /// This schedule without ticks after `end`.
    public JobSchedule until(Instant end) {
        return with("ends_at", new JsonString(end.toString()));
    }

    private static JsonString word(Enum<?> constant) {
        return new JsonString(constant.name().toLowerCase(Locale.ROOT));
    }

    private JobSchedule with(String name, JsonValue value) {
        return new JobSchedule(written.with(name, value));
    }

    /// In the form of a table of `schedules.toml`, without the blueprint.
    JsonObject written() {
        return written;
    }
}
