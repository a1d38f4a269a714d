package dev.artel.cli;

import static dev.artel.cli.CliConnection.job;

import dev.artel.client.ArtelClient;
import dev.artel.client.JobEvent;
import dev.artel.client.JobRef;
import dev.artel.client.JobStatus;
import dev.artel.client.JobSubmission;
import dev.artel.client.JobView;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// What is done with jobs.
@Command(
        name = "job",
        description = "submits, shows and steers jobs",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND")
final class JobCommands {
    private static final String JOB = "JOB";
    private static final Duration FOREVER = Duration.ofDays(365);

    private final CliContext context;

    JobCommands(CliContext context) {
        this.context = context;
    }

    @Command(description = "submits a job and prints its id", mixinStandardHelpOptions = true)
    int submit(
            @Mixin CliConnection connection,
            @Parameters(paramLabel = "BLUEPRINT") String blueprint,
            @Parameters(
                            arity = "0..*",
                            paramLabel = "INPUT",
                            description = "NAME=VALUE, a JSON object or @FILE")
                    @Nullable List<String> input,
            @Option(names = "--blueprint-version", paramLabel = "VERSION") @Nullable String version,
            @Option(names = "--label", paramLabel = "NAME=VALUE") @Nullable List<String> labels,
            @Option(names = "--priority", paramLabel = "NUMBER", defaultValue = "0")
                    double priority,
            @Option(
                            names = "--key",
                            paramLabel = "KEY",
                            description = "the idempotency key; else one is made")
                    @Nullable String key,
            @Option(names = "--wait", description = "waits for the end of the job")
                    boolean isWaiting,
            @Option(
                            names = "--timeout",
                            paramLabel = "DURATION",
                            description =
                                    "how long --wait takes at most, such as 30s or 2h; exit code 6 if the job has not ended")
                    @Nullable String timeout) {
        var longest = timeout == null ? FOREVER : CliValues.duration("--timeout", timeout);
        if (timeout != null && !isWaiting) {
            throw CliFailure.usage("--timeout is for --wait");
        }
        var wanted =
                JobSubmission.of(blueprint, CliValues.object(input == null ? List.of() : input))
                        .withPriority(priority)
                        .withIdempotencyKey(key == null ? UUID.randomUUID().toString() : key);
        if (version != null) {
            wanted = wanted.withVersion(version);
        }
        for (var label : CliValues.pairs(labels == null ? List.of() : labels).entrySet()) {
            wanted = wanted.withLabel(label.getKey(), label.getValue());
        }
        var submission = wanted;
        return connection.with(
                context.environment(),
                client -> {
                    var submitted = client.submit(submission);
                    if (!isWaiting) {
                        if (connection.isJson()) {
                            context.output()
                                    .json(JsonObject.of("job_id", JsonValue.of(submitted.id())));
                        } else {
                            context.output().line(submitted.id());
                        }
                        return 0;
                    }
                    var deadline = System.nanoTime() + longest.toNanos();
                    follow(connection, client, submitted, longest);
                    var left = Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
                    var end = client.awaitFinal(submitted, left);
                    show(connection, client.api().get(job(submitted.id())));
                    if (!end.isFinal()) {
                        context.output().aside("artel: the job has not ended within " + timeout);
                        return ArtelCommand.LATE;
                    }
                    return exitCode(end);
                });
    }

    /// Until the end of the job, or for that long. A person sees what happens last, in a line that the next event replaces.
    private void follow(
            CliConnection connection, ArtelClient client, JobRef submitted, Duration longest) {
        var isShown = context.output().isTerminal() && !connection.isJson();
        var end =
                new CompletableFuture<Void>()
                        .completeOnTimeout(null, longest.toMillis(), TimeUnit.MILLISECONDS);
        try (var events = client.follow(submitted);
                var reasons = WaitReasons.of(client, submitted, context.output())) {
            var _ = end.thenRun(events::close);
            events.forEach(event -> {
                reasons.progress();
                if (isShown) {
                    context.output()
                            .progress(
                                    submitted.id() + "  " + event.version() + "  " + event.type());
                }
            });
        } finally {
            end.cancel(false);
            if (isShown) {
                context.output().progress("");
            }
        }
    }

    private static int exitCode(JobView end) {
        return end.status() == JobStatus.FINISHED ? 0 : ArtelCommand.ENDED_BADLY;
    }

    @Command(description = "shows a job", mixinStandardHelpOptions = true)
    int get(@Mixin CliConnection connection, @Parameters(paramLabel = JOB) String id) {
        show(connection, connection.ask(context.environment(), api -> api.get(job(id))));
        return 0;
    }

    private void show(CliConnection connection, JsonObject document) {
        if (connection.isJson()) {
            context.output().json(document);
            return;
        }
        for (var name :
                List.of(
                        "id",
                        "blueprint_name",
                        "blueprint_version",
                        "status",
                        "current_state",
                        "error_message",
                        "created_at",
                        "updated_at",
                        "labels",
                        "result")) {
            document.get(name)
                    .ifPresent(value ->
                            context.output().line("%-18s %s".formatted(name, text(value))));
        }
    }

    private static String text(JsonValue value) {
        return value instanceof JsonString(var plain) ? plain : value.toString();
    }

    @Command(description = "lists jobs, the newest first", mixinStandardHelpOptions = true)
    int list(
            @Mixin CliConnection connection,
            @Option(names = "--status", paramLabel = "STATUS", defaultValue = "") String status,
            @Option(names = "--blueprint", paramLabel = "NAME", defaultValue = "") String blueprint,
            @Option(names = "--label", paramLabel = "NAME=VALUE") @Nullable List<String> labels,
            @Option(names = "--limit", paramLabel = "N", defaultValue = "20") int limit) {
        if (limit < 1) {
            throw CliFailure.usage("--limit must be at least 1, was " + limit);
        }
        var parameters = new LinkedHashMap<String, String>();
        parameters.put("status", status);
        parameters.put("blueprint", blueprint);
        var path =
                "/api/v1/jobs" + CliValues.query(parameters, labels == null ? List.of() : labels);
        context.output()
                .list(
                        connection.ask(context.environment(), api -> api.list(path, limit)),
                        connection.isJson(),
                        "id",
                        "blueprint_name",
                        "status",
                        "current_state",
                        "created_at");
        return 0;
    }

    @Command(
            description =
                    "prints what happens to a job until its end; the exit code is 1 if it does not finish",
            mixinStandardHelpOptions = true)
    int watch(@Mixin CliConnection connection, @Parameters(paramLabel = JOB) String id) {
        return connection.with(
                context.environment(),
                client -> {
                    var job = new JobRef(id);
                    try (var events = client.follow(job);
                            var reasons = WaitReasons.of(client, job, context.output())) {
                        for (var event : events) {
                            reasons.progress();
                            print(connection, event);
                            // Leases of tasks that are in doubt may still come back for a minute.
                            if (event.type().equals("job.ended")) {
                                break;
                            }
                        }
                    }
                    return exitCode(client.find(job));
                });
    }

    @Command(description = "prints what has happened to a job", mixinStandardHelpOptions = true)
    int history(@Mixin CliConnection connection, @Parameters(paramLabel = JOB) String id) {
        return connection.with(
                context.environment(),
                client -> {
                    client.history(new JobRef(id)).forEach(event -> print(connection, event));
                    return 0;
                });
    }

    private void print(CliConnection connection, JobEvent event) {
        if (connection.isJson()) {
            context.output().json(event.document());
            return;
        }
        var more = new StringBuilder();
        event.document()
                .members()
                .forEach((name, value) -> {
                    if (!List.of("version", "type", "at", "job_id").contains(name)) {
                        more.append(' ').append(name).append('=').append(text(value));
                    }
                });
        context.output()
                .line("%5d  %s  %s%s".formatted(event.version(), event.at(), event.type(), more));
    }

    @Command(
            description = "states what the job waits for, and the commands that would let it go on",
            mixinStandardHelpOptions = true)
    int explain(@Mixin CliConnection connection, @Parameters(paramLabel = JOB) String id) {
        var found = connection.ask(context.environment(), api -> api.get(job(id) + "/explain"));
        if (connection.isJson()) {
            context.output().json(found);
        } else {
            context.output().line(found.string("text").orElse(""));
            UnblockCommands.of(id, found, connection.selection())
                    .forEach(command -> context.output().line("  " + command));
        }
        return 0;
    }

    @Command(description = "ends a job early", mixinStandardHelpOptions = true)
    int cancel(@Mixin CliConnection connection, @Parameters(paramLabel = JOB) String id) {
        return act(connection, id, "/cancel", JsonObject.EMPTY);
    }

    @Command(description = "lets a job stand still", mixinStandardHelpOptions = true)
    int pause(
            @Mixin CliConnection connection,
            @Parameters(paramLabel = JOB) String id,
            @Option(names = "--reason", paramLabel = "TEXT", required = true) String reason) {
        return act(connection, id, "/pause", JsonObject.of("reason", JsonValue.of(reason)));
    }

    @Command(description = "lets a paused job go on", mixinStandardHelpOptions = true)
    int resume(@Mixin CliConnection connection, @Parameters(paramLabel = JOB) String id) {
        return act(connection, id, "/resume", JsonObject.EMPTY);
    }

    @Command(
            description = "lets a job spend more than it was granted so far",
            mixinStandardHelpOptions = true)
    int extend(
            @Mixin CliConnection connection,
            @Parameters(paramLabel = JOB) String id,
            @Option(
                            names = "--cost-usd",
                            paramLabel = "AMOUNT",
                            description = "of US dollars, with at most nine decimals")
                    @Nullable String cost,
            @Option(names = "--tokens", paramLabel = "N") @Nullable Long tokens,
            @Option(names = "--seconds", paramLabel = "N") @Nullable Long seconds,
            @Option(names = "--calls", paramLabel = "N") @Nullable Long calls) {
        var more = JsonObject.builder();
        if (cost != null) {
            more.put("cost_usd", cost);
        }
        var whole = new LinkedHashMap<String, @Nullable Long>();
        whole.put("tokens", tokens);
        whole.put("seconds", seconds);
        whole.put("calls", calls);
        whole.forEach((name, amount) -> {
            if (amount != null) {
                more.put(name, amount);
            }
        });
        return act(connection, id, "/budget/extend", more.build());
    }

    @Command(description = "takes a job back to a state", mixinStandardHelpOptions = true)
    int rewind(
            @Mixin CliConnection connection,
            @Parameters(paramLabel = JOB) String id,
            @Parameters(paramLabel = "STATE") String state,
            @Option(names = "--set", paramLabel = "NAME=VALUE") @Nullable List<String> changes) {
        return connection.with(
                context.environment(),
                client -> {
                    client.rewind(
                            new JobRef(id),
                            state,
                            CliValues.object(changes == null ? List.of() : changes));
                    context.output().line("rewound to " + state);
                    return 0;
                });
    }

    @Command(
            description =
                    "submits a job that goes on where this one was in a state, and prints its id",
            mixinStandardHelpOptions = true)
    int fork(
            @Mixin CliConnection connection,
            @Parameters(paramLabel = JOB) String id,
            @Parameters(paramLabel = "STATE") String state,
            @Option(names = "--set", paramLabel = "NAME=VALUE") @Nullable List<String> changes) {
        return connection.with(
                context.environment(),
                client -> {
                    var other =
                            client.fork(
                                    new JobRef(id),
                                    state,
                                    CliValues.object(changes == null ? List.of() : changes));
                    context.output().line(other.id());
                    return 0;
                });
    }

    @Command(description = "sends a job a signal", mixinStandardHelpOptions = true)
    int signal(
            @Mixin CliConnection connection,
            @Parameters(paramLabel = JOB) String id,
            @Parameters(paramLabel = "SIGNAL") String signal,
            @Parameters(paramLabel = "PAYLOAD", arity = "0..1", description = "JSON or @FILE")
                    @Nullable String payload,
            @Option(
                            names = "--id",
                            paramLabel = "ID",
                            description = "of the signal; else one is made")
                    @Nullable String key) {
        return connection.with(
                context.environment(),
                client -> {
                    client.signal(
                            new JobRef(id),
                            signal,
                            key == null ? UUID.randomUUID().toString() : key,
                            payload == null ? JsonObject.EMPTY : CliValues.value(payload));
                    context.output().line("signal sent");
                    return 0;
                });
    }

    @Command(
            description =
                    "decides about what a job asks a person; without a choice it lists what is asked",
            mixinStandardHelpOptions = true)
    int approve(
            @Mixin CliConnection connection,
            @Parameters(paramLabel = JOB) String id,
            @Parameters(paramLabel = "CHOICE", arity = "0..1") @Nullable String choice,
            @Option(
                            names = "--number",
                            paramLabel = "N",
                            description = "of the approval, if there are several")
                    @Nullable Long number) {
        var open =
                connection.ask(
                        context.environment(), api -> api.list(job(id) + "/approvals", 1_000));
        if (choice == null) {
            context.output()
                    .list(open, connection.isJson(), "approval", "status", "message", "choices");
            return 0;
        }
        var which = number != null ? number : only("approval", open, id);
        return act(
                connection,
                id,
                "/approvals/" + which,
                JsonObject.of("decision", JsonValue.of(choice)));
    }

    @Command(
            description =
                    "answers what a worker asks about a task; without an answer it lists what is asked",
            mixinStandardHelpOptions = true)
    int answer(
            @Mixin CliConnection connection,
            @Parameters(paramLabel = JOB) String id,
            @Parameters(paramLabel = "ANSWER", arity = "0..1") @Nullable String answer,
            @Option(
                            names = "--number",
                            paramLabel = "N",
                            description = "of the question, if there are several")
                    @Nullable Long number) {
        var asked =
                connection.ask(
                        context.environment(), api -> api.list(job(id) + "/questions", 1_000));
        if (answer == null) {
            context.output()
                    .list(asked, connection.isJson(), "question", "status", "text", "choices");
            return 0;
        }
        var which = number != null ? number : only("question", asked, id);
        return act(
                connection,
                id,
                "/questions/" + which,
                JsonObject.of("answer", JsonValue.of(answer)));
    }

    @Command(
            description = "records the outcome of a task that is in doubt",
            mixinStandardHelpOptions = true)
    int resolve(
            @Mixin CliConnection connection,
            @Parameters(paramLabel = JOB) String id,
            @Parameters(paramLabel = "TASK") long task,
            @Parameters(paramLabel = "OUTCOME", description = "happened, did_not_happen or failed")
                    String outcome,
            @Option(
                            names = "--result",
                            paramLabel = "JSON",
                            description = "of a task that happened; JSON or @FILE")
                    @Nullable String result,
            @Option(names = "--reason", paramLabel = "TEXT", description = "of one that failed")
                    @Nullable String reason) {
        var body = JsonObject.builder().put("outcome", outcome);
        if (result != null) {
            body.put("result", CliValues.value(result));
        }
        if (reason != null) {
            body.put("reason", reason);
        }
        return act(connection, id, "/tasks/" + task + "/resolve", body.build());
    }

    @Command(
            description = "runs the state of a quarantined job again",
            mixinStandardHelpOptions = true)
    int retry(
            @Mixin CliConnection connection,
            @Parameters(paramLabel = JOB) String id,
            @Option(names = "--set", paramLabel = "NAME=VALUE") @Nullable List<String> changes) {
        return act(
                connection,
                id,
                "/quarantine/retry",
                JsonObject.of("data", CliValues.object(changes == null ? List.of() : changes)));
    }

    /// The number of the only open one, which a person need not type.
    private static long only(String kind, List<JsonObject> all, String id) {
        var open =
                all.stream()
                        .filter(each -> each.string("status").equals(Optional.of("open")))
                        .map(each -> each.number(kind).orElseThrow().asLong())
                        .toList();
        if (open.size() != 1) {
            throw CliFailure.usage(
                    "job "
                            + id
                            + " has "
                            + open.size()
                            + " open "
                            + kind
                            + "s"
                            + (open.isEmpty()
                                    ? ""
                                    : "; name one of "
                                            + open.stream()
                                                    .map(String::valueOf)
                                                    .collect(Collectors.joining(", "))
                                            + " with --number"));
        }
        return open.getFirst();
    }

    private int act(CliConnection connection, String id, String what, JsonObject body) {
        var answer = connection.ask(context.environment(), api -> api.post(job(id) + what, body));
        if (connection.isJson()) {
            context.output().json(answer);
        } else {
            context.output().line(answer.string("status").orElse("done"));
        }
        return 0;
    }
}
