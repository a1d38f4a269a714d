package dev.artel.cli;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// What is done with schedules.
@Command(
        name = "schedule",
        description = "jobs that begin by the clock",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND")
final class ScheduleCommands {
    private static final String SCHEDULES = "/api/v1/schedules";
    private static final int MOST = 10_000;

    private final CliContext context;

    ScheduleCommands(CliContext context) {
        this.context = context;
    }

    /// When it is due: one of these.
    static final class When {
        @Option(
                names = "--cron",
                paramLabel = "FIELDS",
                description = "\"30 2 * * *\": minute, hour, day, month, day of the week")
        @Nullable String cron;

        @Option(names = "--every", paramLabel = "SECONDS", description = "each so many seconds")
        @Nullable Long every;

        @Option(
                names = "--at",
                paramLabel = "INSTANT",
                description = "once, at 2030-01-31T12:00:00Z")
        @Nullable String at;

        private JsonObject timing(@Nullable String zone) {
            var timing = JsonObject.builder();
            if (cron != null) {
                timing.put("cron", cron);
            }
            if (every != null) {
                timing.put("every_seconds", every);
            }
            if (at != null) {
                timing.put("at", at);
            }
            if (zone != null) {
                timing.put("zone", zone);
            }
            return timing.build();
        }
    }

    @Command(description = "lists the schedules", mixinStandardHelpOptions = true)
    int list(@Mixin CliConnection connection) {
        var all = connection.ask(context.environment(), api -> api.list(SCHEDULES, MOST));
        if (connection.isJson()) {
            context.output().list(all, true);
        } else {
            context.output()
                    .list(
                            all.stream().map(ScheduleCommands::line).toList(),
                            false,
                            "name",
                            "blueprint",
                            "timing",
                            "status",
                            "next",
                            "last");
        }
        return 0;
    }

    /// What a person looks for, in words.
    private static JsonObject line(JsonObject schedule) {
        var next = schedule.array("next").filter(all -> all.size() > 0).map(all -> all.get(0));
        var last = schedule.object("last");
        var line =
                JsonObject.builder()
                        .put("name", schedule.string("name").orElse(""))
                        .put("blueprint", schedule.string("blueprint").orElse(""))
                        .put("timing", timing(schedule.object("timing").orElse(JsonObject.EMPTY)))
                        .put(
                                "status",
                                schedule.has("paused")
                                        ? "paused"
                                        : next.isPresent() ? "active" : "ended");
        next.ifPresent(tick -> line.put("next", tick));
        last.flatMap(run -> run.string("job_status").or(() -> run.string("status")))
                .ifPresent(status -> line.put("last", status));
        return line.build();
    }

    private static String timing(JsonObject timing) {
        return timing.string("cron")
                .map(cron -> cron + " " + timing.string("zone").orElse("UTC"))
                .or(() -> timing.string("at").map(at -> "at " + at))
                .or(() -> timing.number("every_seconds").map(every -> "every " + every + " s"))
                .orElse("");
    }

    @Command(
            description = "shows a schedule: what it is at, or with --json its document",
            mixinStandardHelpOptions = true)
    int get(@Mixin CliConnection connection, @Parameters(paramLabel = "NAME") String name) {
        show(connection, connection.ask(context.environment(), api -> api.get(path(name))));
        return 0;
    }

    @Command(
            description = "writes a schedule down, also in place of one that is there",
            mixinStandardHelpOptions = true)
    int create(
            @Mixin CliConnection connection,
            @Parameters(paramLabel = "NAME") String name,
            @Parameters(paramLabel = "BLUEPRINT") String blueprint,
            @Parameters(
                            paramLabel = "INPUT",
                            arity = "0..*",
                            description = "NAME=VALUE, a JSON object or @FILE")
                    @Nullable List<String> input,
            @ArgGroup(multiplicity = "1") When when,
            @Option(names = "--zone", paramLabel = "ZONE", description = "of --cron; default: UTC")
                    @Nullable String zone,
            @Option(
                            names = "--set",
                            paramLabel = "NAME=VALUE",
                            description =
                                    "overlap, queue_limit, catch_up, jitter_seconds, priority,"
                                            + " starts_at, ends_at, client and the others of the API")
                    @Nullable List<String> more,
            @Option(names = "--label", paramLabel = "NAME=VALUE") @Nullable List<String> labels) {
        var body =
                JsonObject.builder()
                        .put("blueprint", blueprint)
                        .put("timing", when.timing(zone))
                        .put("input", CliValues.object(orNone(input)))
                        .putAll(CliValues.object(orNone(more)));
        if (labels != null) {
            var all = JsonObject.builder();
            CliValues.pairs(labels).forEach(all::put);
            body.put("labels", all.build());
        }
        show(
                connection,
                connection.ask(context.environment(), api -> api.put(path(name), body.build())));
        return 0;
    }

    private static List<String> orNone(@Nullable List<String> given) {
        return given == null ? List.of() : given;
    }

    @Command(description = "lets nothing of a schedule run", mixinStandardHelpOptions = true)
    int pause(
            @Mixin CliConnection connection,
            @Parameters(paramLabel = "NAME") String name,
            @Option(names = "--reason", paramLabel = "TEXT", defaultValue = "") String reason) {
        show(
                connection,
                post(
                        connection,
                        name,
                        "pause",
                        reason.isEmpty()
                                ? JsonObject.EMPTY
                                : JsonObject.of("reason", JsonValue.of(reason))));
        return 0;
    }

    @Command(description = "lets a schedule run again", mixinStandardHelpOptions = true)
    int resume(@Mixin CliConnection connection, @Parameters(paramLabel = "NAME") String name) {
        show(connection, post(connection, name, "resume", JsonObject.EMPTY));
        return 0;
    }

    @Command(description = "runs a job at once, and prints its id", mixinStandardHelpOptions = true)
    int run(@Mixin CliConnection connection, @Parameters(paramLabel = "NAME") String name) {
        var key = UUID.randomUUID().toString();
        var run =
                connection.ask(
                        context.environment(),
                        api -> api.post(path(name) + "/run", JsonObject.EMPTY, key));
        if (connection.isJson()) {
            context.output().json(run);
            return 0;
        }
        if (run.string("job_id").isEmpty()) {
            throw new CliFailure(
                    ArtelCommand.REFUSED,
                    "the submission was refused: "
                            + run.string("error").or(() -> run.string("reason")).orElse(""));
        }
        context.output().line(run.string("job_id").orElseThrow());
        return 0;
    }

    @Command(description = "runs ticks of the past", mixinStandardHelpOptions = true)
    int backfill(
            @Mixin CliConnection connection,
            @Parameters(paramLabel = "NAME") String name,
            @Option(names = "--from", paramLabel = "INSTANT", required = true) String from,
            @Option(names = "--until", paramLabel = "INSTANT", required = true) String until,
            @Option(names = "--together", description = "beside each other") boolean isTogether) {
        var body =
                JsonObject.builder()
                        .put("from", from)
                        .put("until", until)
                        .put("together", isTogether)
                        .build();
        show(connection, post(connection, name, "backfill", body));
        return 0;
    }

    @Command(description = "lists what has run, newest first", mixinStandardHelpOptions = true)
    int runs(@Mixin CliConnection connection, @Parameters(paramLabel = "NAME") String name) {
        context.output()
                .list(
                        connection.ask(
                                context.environment(), api -> api.list(path(name) + "/runs", MOST)),
                        connection.isJson(),
                        "tick",
                        "kind",
                        "status",
                        "job_id",
                        "job_status",
                        "error",
                        "reason");
        return 0;
    }

    @Command(description = "lists the next ticks", mixinStandardHelpOptions = true)
    int next(
            @Mixin CliConnection connection,
            @Parameters(paramLabel = "NAME") String name,
            @Option(names = "--count", paramLabel = "N", defaultValue = "10") int count) {
        var query = CliValues.query(Map.of("limit", Integer.toString(count)), List.of());
        var page =
                connection.ask(context.environment(), api -> api.get(path(name) + "/next" + query));
        var ticks = page.array("items").orElse(JsonArray.EMPTY);
        if (connection.isJson()) {
            context.output().json(ticks);
        } else {
            for (var tick : texts(ticks)) {
                context.output().line(tick);
            }
        }
        return 0;
    }

    private static List<String> texts(JsonArray ticks) {
        var all = new ArrayList<String>();
        for (var tick : ticks) {
            all.add(tick instanceof JsonString(var text) ? text : tick.toString());
        }
        return all;
    }

    @Command(description = "deletes a schedule; its jobs go on", mixinStandardHelpOptions = true)
    int delete(@Mixin CliConnection connection, @Parameters(paramLabel = "NAME") String name) {
        var answer = connection.ask(context.environment(), api -> api.delete(path(name)));
        if (connection.isJson()) {
            context.output().json(answer);
        } else {
            context.output().line("deleted");
        }
        return 0;
    }

    private JsonObject post(CliConnection connection, String name, String act, JsonObject body) {
        return connection.ask(context.environment(), api -> api.post(path(name) + "/" + act, body));
    }

    private void show(CliConnection connection, JsonObject schedule) {
        if (connection.isJson()) {
            context.output().json(schedule);
            return;
        }
        var line = line(schedule);
        context.output()
                .line(
                        line.string("name").orElse("")
                                + ": "
                                + line.string("blueprint").orElse("")
                                + ", "
                                + line.string("timing").orElse("")
                                + ", revision "
                                + schedule.number("revision").map(JsonNumber::asLong).orElse(1L));
        context.output().line(schedule.string("explanation").orElse(""));
    }

    private static String path(String name) {
        return SCHEDULES + "/" + CliConnection.encoded(name);
    }
}
