package dev.artel.schedule.text;

import dev.artel.config.Suggestions;
import dev.artel.json.JsonArray;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.kernel.job.JobOptions;
import dev.artel.schedule.rules.JobTemplate;
import dev.artel.schedule.rules.RunPolicy;
import dev.artel.schedule.rules.RunPolicy.CatchUp;
import dev.artel.schedule.rules.RunPolicy.Overlap;
import dev.artel.schedule.rules.ScheduleDefinition;
import dev.artel.schedule.timing.CronExpression;
import dev.artel.schedule.timing.TimeZones;
import dev.artel.schedule.timing.Timing;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.stream.Collectors;

/// Reads what people write of a schedule: bodies of the API, and tables of the file, which may also have the keys of older files.
/// All problems are reported together.
public final class ScheduleReader {
    private static final List<String> OF_JOBS =
            List.of(
                    "blueprint",
                    "version",
                    "client",
                    "input",
                    "priority",
                    "labels",
                    "deadline_seconds",
                    "starts_at",
                    "ends_at",
                    "overlap",
                    "queue_limit",
                    "catch_up",
                    "catch_up_limit",
                    "catch_up_window_seconds",
                    "jitter_seconds",
                    "submit_attempts",
                    "start_within_seconds");
    private static final List<String> TIMES =
            List.of("cron", "zone", "every_seconds", "anchor", "at");
    private static final List<String> OLD_TIMES =
            List.of("interval_seconds", "daily_at", "weekly_days", "monthly_dates", "time");
    private static final Map<String, String> OLD_NAMES =
            Map.of(
                    "input_data", "input",
                    "dispatch_timeout", "start_within_seconds",
                    "result_timeout", "deadline_seconds",
                    "interval_seconds", "every_seconds");
    private static final List<String> DAYS =
            List.of("sun", "mon", "tue", "wed", "thu", "fri", "sat");
    private static final int LABELS_OF_A_SCHEDULE = 2;
    private static final int MAX_LABEL = 200;
    private static final long LONGEST = 10L * 366 * 86_400;
    private static final Instant LATEST = Instant.parse("9999-01-01T00:00:00Z");

    /// So many unknown fields are named.
    private static final int MOST_UNKNOWN = 20;

    private final JsonObject fields;
    private final List<String> problems = new ArrayList<>();

    private ScheduleReader(JsonObject fields) {
        this.fields = fields;
    }

    /// What is known of a schedule beside what is written.
    ///
    /// @param id of a schedule that is new
    /// @param client as which its jobs run where nothing else is written
    /// @param zone of times without one
    /// @param by who writes it
    public record Context(
            ScheduleDefinition.Origin origin,
            String id,
            String client,
            ZoneId zone,
            String by,
            Instant now) {}

    /// What reading came to.
    public sealed interface Reading {
        /// It is a schedule.
        record Read(ScheduleDefinition schedule) implements Reading {}

        /// It is none.
        ///
        /// @param problems at least one
        record Invalid(List<String> problems) implements Reading {
            /// Copies `problems`.
            public Invalid {
                problems = List.copyOf(problems);
            }
        }
    }

    /// Reads a body of the API, which has its times in `timing`.
    public static Reading body(String name, JsonObject fields, Context context) {
        var reader = new ScheduleReader(fields);
        var known = new ArrayList<>(OF_JOBS);
        known.add("timing");
        reader.unknown("", fields, known);
        var timing = fields.get("timing");
        if (timing.isPresent() && !(timing.get() instanceof JsonObject)) {
            reader.problems.add("timing must be an object, was " + timing.get().kind());
        }
        var times = fields.object("timing").orElse(JsonObject.EMPTY);
        reader.unknown("timing.", times, TIMES);
        var of = new ScheduleReader(times);
        var read = of.timing(context);
        reader.problems.addAll(of.problems);
        return reader.reading(name, context, read);
    }

    /// Reads a table of the file, which has its times beside the rest.
    public static Reading table(String name, JsonObject written, Context context) {
        var fields = JsonObject.builder();
        var problems = new ArrayList<String>();
        written.members()
                .forEach((key, value) -> {
                    var own = OLD_NAMES.getOrDefault(key, key);
                    if (!own.equals(key) && written.has(own)) {
                        problems.add(key + " and " + own + " mean the same; keep one of them");
                    } else {
                        fields.put(own, value);
                    }
                });
        var reader = new ScheduleReader(fields.build());
        reader.problems.addAll(problems);
        var known = new ArrayList<>(OF_JOBS);
        known.addAll(TIMES);
        known.addAll(OLD_TIMES);
        reader.unknown("", reader.fields, known);
        return reader.reading(name, context, reader.timing(context));
    }

    private void unknown(String prefix, JsonObject object, List<String> known) {
        var unknown = object.names().stream().filter(name -> !known.contains(name)).toList();
        if (unknown.isEmpty()) {
            return;
        }
        var first = unknown.stream().limit(MOST_UNKNOWN).toList();
        for (var name : first) {
            var isLast = name.equals(first.getLast());
            problems.add(
                    "unknown field "
                            + prefix
                            + shortened(name)
                            + Suggestions.like(shortened(name), known)
                            + (isLast ? "; there are " + known : ""));
        }
        if (unknown.size() > MOST_UNKNOWN) {
            problems.add("there are " + (unknown.size() - MOST_UNKNOWN) + " more unknown fields");
        }
    }

    private Reading reading(String name, Context context, Optional<Timing> timing) {
        var job = job(context);
        var policy = policy();
        var starts = instant("starts_at");
        var ends = instant("ends_at");
        try {
            ScheduleDefinition.checkName(name);
            if (problems.isEmpty() && timing.isPresent()) {
                return new Reading.Read(
                        new ScheduleDefinition(
                                name,
                                context.id(),
                                1,
                                context.origin(),
                                job,
                                timing.get(),
                                policy,
                                starts,
                                ends,
                                context.by(),
                                context.now(),
                                context.now()));
            }
        } catch (IllegalArgumentException wrong) {
            problems.add(String.valueOf(wrong.getMessage()));
        }
        return new Reading.Invalid(problems);
    }

    private JobTemplate job(Context context) {
        var blueprint = text("blueprint");
        if (blueprint.isEmpty() && !fields.has("blueprint")) {
            problems.add("blueprint is missing");
        }
        blueprint.filter(String::isBlank).ifPresent(_ -> problems.add("blueprint is empty"));
        return new JobTemplate(
                blueprint.orElse(""),
                text("version"),
                text("client").orElse(context.client()),
                fields.get("input").orElse(JsonObject.EMPTY),
                number("priority", -1e9, 1e9),
                labels(),
                count("deadline_seconds", 1, LONGEST).map(Duration::ofSeconds));
    }

    private SequencedMap<String, String> labels() {
        var labels = new LinkedHashMap<String, String>();
        var given = fields.get("labels");
        if (given.isEmpty()) {
            return labels;
        }
        if (!(given.get() instanceof JsonObject object)) {
            problems.add("labels must be an object, was " + given.get().kind());
            return labels;
        }
        var most = JobOptions.MOST_LABELS - LABELS_OF_A_SCHEDULE;
        if (object.size() > most) {
            problems.add("labels must have at most " + most + ", had " + object.size());
            return labels;
        }
        object.members()
                .forEach((name, value) -> {
                    if (name.equals(JobTemplate.SCHEDULE_LABEL)
                            || name.equals(JobTemplate.TICK_LABEL)) {
                        problems.add("labels." + name + " is set for each job by the schedule");
                    } else if (value instanceof JsonString(var text)
                            && !name.isEmpty()
                            && name.length() <= MAX_LABEL
                            && text.length() <= MAX_LABEL) {
                        labels.put(name, text);
                    } else {
                        problems.add(
                                "labels."
                                        + shortened(name)
                                        + " must be a text; names and texts have at most "
                                        + MAX_LABEL
                                        + " characters");
                    }
                });
        return labels;
    }

    private RunPolicy policy() {
        var defaults = RunPolicy.DEFAULTS;
        try {
            return new RunPolicy(
                    word("overlap", Overlap.values(), defaults.overlap()),
                    whole("queue_limit", defaults.queueLimit()),
                    word("catch_up", CatchUp.values(), defaults.catchUp()),
                    whole("catch_up_limit", defaults.catchUpLimit()),
                    seconds("catch_up_window_seconds").orElse(defaults.catchUpWindow()),
                    seconds("jitter_seconds").orElse(defaults.jitter()),
                    whole("submit_attempts", defaults.attempts()),
                    seconds("start_within_seconds"));
        } catch (IllegalArgumentException wrong) {
            problems.add(String.valueOf(wrong.getMessage()));
            return defaults;
        }
    }

    private Optional<Timing> timing(Context context) {
        var kinds =
                List.of("cron", "every_seconds", "at", "daily_at", "weekly_days", "monthly_dates")
                        .stream()
                        .filter(fields::has)
                        .toList();
        if (kinds.size() != 1) {
            problems.add(
                    kinds.isEmpty()
                            ? "the timing is missing: give one of cron, every_seconds and at"
                            : "the timing is one of " + kinds + "; keep one of them");
            return Optional.empty();
        }
        var kind = kinds.getFirst();
        misplaced("anchor", kind, List.of("every_seconds"));
        misplaced("zone", kind, List.of("cron", "daily_at", "weekly_days", "monthly_dates"));
        misplaced("time", kind, List.of("weekly_days", "monthly_dates"));
        var before = problems.size();
        try {
            return switch (kind) {
                case "cron" -> text("cron").flatMap(cron -> cron(cron, context));
                case "every_seconds" -> interval(context);
                case "at" -> instant("at").map(Timing.Once::new);
                case "daily_at" -> wallClock("daily_at", "*", "*", context);
                case "weekly_days" -> wallClock("time", "*", days(), context);
                default -> wallClock("time", dates(), "*", context);
            };
        } catch (IllegalArgumentException wrong) {
            if (problems.size() == before) {
                problems.add(
                        (kind.equals("cron") && !String.valueOf(wrong.getMessage()).contains("zone")
                                        ? "cron "
                                        : "")
                                + wrong.getMessage());
            }
            return Optional.empty();
        }
    }

    private void misplaced(String key, String kind, List<String> of) {
        if (fields.has(key) && !of.contains(kind)) {
            problems.add(key + " belongs to " + of + ", and the timing is " + kind);
        }
    }

    private Optional<Timing> cron(String cron, Context context) {
        return Optional.of(new Timing.Cron(CronExpression.parse(cron), zone(context)));
    }

    private ZoneId zone(Context context) {
        return text("zone").map(TimeZones::of).orElse(context.zone());
    }

    private Optional<Timing> interval(Context context) {
        var anchor = instant("anchor").orElse(context.now());
        return count("every_seconds", 1, Timing.LONGEST.toSeconds())
                .map(every -> new Timing.Interval(Duration.ofSeconds(every), anchor));
    }

    private Optional<Timing> wallClock(String key, String dates, String days, Context context) {
        if (!fields.has(key)) {
            problems.add(key + " is missing: the time of the day, such as \"02:30\"");
            return Optional.empty();
        }
        return text(key)
                .flatMap(text -> {
                    try {
                        var time = LocalTime.parse(text);
                        return cron(
                                time.getSecond()
                                        + " "
                                        + time.getMinute()
                                        + " "
                                        + time.getHour()
                                        + " "
                                        + dates
                                        + " * "
                                        + days,
                                context);
                    } catch (DateTimeException _) {
                        problems.add(
                                key
                                        + " must be a time of the day such as \"02:30\", was '"
                                        + shortened(text)
                                        + "'");
                        return Optional.empty();
                    }
                });
    }

    private String days() {
        var days =
                listed("weekly_days").stream()
                        .map(day -> day instanceof JsonString(var text) ? text : day.toString())
                        .map(day -> day.toLowerCase(Locale.ROOT))
                        .toList();
        days.stream()
                .filter(day -> !DAYS.contains(day))
                .forEach(day ->
                        problems.add(
                                "weekly_days has '"
                                        + shortened(day)
                                        + "'"
                                        + Suggestions.like(day, DAYS)
                                        + "; days are "
                                        + DAYS));
        return days.isEmpty() || !days.stream().allMatch(DAYS::contains)
                ? "*"
                : String.join(",", days);
    }

    private String dates() {
        var dates = new ArrayList<String>();
        for (var date : listed("monthly_dates")) {
            if (date instanceof JsonNumber number
                    && number.isLong()
                    && number.asLong() >= 1
                    && number.asLong() <= 31) {
                dates.add(number.toString());
            } else {
                problems.add("monthly_dates has days from 1 to 31, was " + shortened("" + date));
            }
        }
        return dates.isEmpty() ? "*" : String.join(",", dates);
    }

    private List<JsonValue> listed(String key) {
        if (fields.get(key).orElseThrow() instanceof JsonArray array && array.size() > 0) {
            return array.values();
        }
        problems.add(key + " must be a list with at least one entry");
        return List.of();
    }

    private Optional<Instant> instant(String key) {
        return text(key)
                .flatMap(text -> {
                    try {
                        var instant = OffsetDateTime.parse(text).toInstant();
                        if (!instant.isBefore(Instant.EPOCH) && instant.isBefore(LATEST)) {
                            return Optional.of(instant);
                        }
                    } catch (DateTimeException _) {
                        // reported below, together with instants that no clock of ours will see
                    }
                    problems.add(
                            key
                                    + " must be an instant such as 2030-01-31T12:00:00Z, was '"
                                    + shortened(text)
                                    + "'");
                    return Optional.empty();
                });
    }

    private <E extends Enum<E>> E word(String key, E[] words, E defaultWord) {
        var given = text(key);
        if (given.isEmpty()) {
            return defaultWord;
        }
        var known = Arrays.stream(words).map(Enum::toString).toList();
        var place = known.indexOf(given.get());
        if (place < 0) {
            problems.add(
                    key
                            + " must be one of "
                            + known.stream().collect(Collectors.joining(", "))
                            + ", was '"
                            + shortened(given.get())
                            + "'"
                            + Suggestions.like(given.get(), known));
            return defaultWord;
        }
        return words[place];
    }

    private int whole(String key, int defaultValue) {
        return count(key, 0, Integer.MAX_VALUE).map(Long::intValue).orElse(defaultValue);
    }

    private Optional<Duration> seconds(String key) {
        return count(key, 0, LONGEST).map(Duration::ofSeconds);
    }

    private Optional<Long> count(String key, long least, long most) {
        return fields.get(key)
                .flatMap(value -> {
                    if (value instanceof JsonNumber number
                            && number.isLong()
                            && number.asLong() >= least
                            && number.asLong() <= most) {
                        return Optional.of(number.asLong());
                    }
                    problems.add(
                            key
                                    + " must be a whole number from "
                                    + least
                                    + " to "
                                    + most
                                    + ", was "
                                    + (value instanceof JsonNumber
                                            ? shortened(value.toString())
                                            : value.kind()));
                    return Optional.empty();
                });
    }

    private Optional<Double> number(String key, double least, double most) {
        return fields.get(key)
                .flatMap(value -> {
                    if (value instanceof JsonNumber number
                            && number.asDouble() >= least
                            && number.asDouble() <= most) {
                        return Optional.of(number.asDouble());
                    }
                    problems.add(
                            key
                                    + " must be a number from "
                                    + (long) least
                                    + " to "
                                    + (long) most
                                    + ", was "
                                    + (value instanceof JsonNumber
                                            ? shortened(value.toString())
                                            : value.kind()));
                    return Optional.empty();
                });
    }

    private Optional<String> text(String key) {
        return fields.get(key)
                .flatMap(value -> {
                    if (value instanceof JsonString(var text)) {
                        return Optional.of(text);
                    }
                    problems.add(key + " must be a string, was " + value.kind());
                    return Optional.empty();
                });
    }

    private static String shortened(String text) {
        return text.length() > 40 ? text.substring(0, 40) + "..." : text;
    }
}
