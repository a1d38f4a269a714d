package dev.artel.mcp;

import dev.artel.client.ArtelClient;
import dev.artel.client.JobRef;
import dev.artel.client.JobSubmission;
import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.mcp.AgentTool.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/// The tools for agents.
final class AgentTools {
    private static final String JOBS = "/api/v1/jobs/";
    private static final int MOST = 100;
    private static final int FEW = 20;
    private static final int LONGEST_WAIT = 60;

    private static final String JOB =
            "\"job_id\":{\"type\":\"string\",\"description\":\"the id of the job\"}";
    private static final String ONE_JOB = "[\"job_id\"]";
    private static final String LIMIT =
            "\"limit\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":"
                    + MOST
                    + ",\"description\":\"how many at most; "
                    + FEW
                    + "\"}";

    private AgentTools() {}

    /// All of them, in the order in which agents see them.
    static List<AgentTool> all() {
        var all = new ArrayList<>(reading());
        all.addAll(ScheduleTools.reading());
        all.add(submitting());
        all.addAll(steering());
        all.addAll(ScheduleTools.steering());
        return all;
    }

    private static List<AgentTool> reading() {
        return List.of(
                new AgentTool(
                        "list_jobs",
                        "Lists jobs, the newest first.",
                        Kind.READS,
                        text(
                                        "status",
                                        "finished, failed, cancelled, quarantined, waiting_for_human, ...")
                                + ","
                                + text("blueprint", "the name of the definition")
                                + ","
                                + text("label", "NAME=VALUE")
                                + ","
                                + text("words", "words that occur in it")
                                + ","
                                + LIMIT,
                        "[]",
                        (client, given) -> items(client.api().list(jobs(given), limit(given)))),
                new AgentTool(
                        "get_job",
                        "Shows a job: its status, state, data, result, error and what it waits for.",
                        Kind.READS,
                        JOB,
                        ONE_JOB,
                        (client, given) -> client.api().get(job(given, ""))),
                new AgentTool(
                        "explain_job",
                        "States in words what a job waits for at this moment, why, and what would let it go on.",
                        Kind.READS,
                        JOB,
                        ONE_JOB,
                        (client, given) -> client.api().get(job(given, "/explain"))),
                new AgentTool(
                        "list_tasks",
                        "Lists the tasks of a job with their status, attempts and workers.",
                        Kind.READS,
                        JOB + "," + LIMIT,
                        ONE_JOB,
                        (client, given) ->
                                items(client.api().list(job(given, "/tasks"), limit(given)))),
                new AgentTool(
                        "why_task",
                        "States why a task has no worker yet, or why it has the one that it has.",
                        Kind.READS,
                        JOB + "," + whole("task", "the number of the task in its job, from 0"),
                        "[\"job_id\",\"task\"]",
                        (client, given) ->
                                client.api()
                                        .get(
                                                job(
                                                        given,
                                                        "/tasks/"
                                                                + given.number("task")
                                                                + "/why"))),
                new AgentTool(
                        "job_history",
                        "Shows the events of a job in their order, each with its version.",
                        Kind.READS,
                        JOB
                                + ","
                                + whole("after", "begin behind this version; 0: at the first event")
                                + ","
                                + LIMIT,
                        ONE_JOB,
                        (client, given) ->
                                client.api()
                                        .get(
                                                job(
                                                        given,
                                                        "/history?after="
                                                                + given.number(
                                                                        "after",
                                                                        0,
                                                                        Integer.MAX_VALUE,
                                                                        0)
                                                                + "&limit="
                                                                + limit(given)))),
                new AgentTool(
                        "wait_for_job",
                        "Waits until a job has ended, for at most "
                                + LONGEST_WAIT
                                + " seconds, and shows it. Call it again while the job goes on.",
                        Kind.READS,
                        JOB
                                + ","
                                + whole(
                                        "seconds",
                                        "how long to wait, 1 to " + LONGEST_WAIT + "; 30"),
                        ONE_JOB,
                        (client, given) -> {
                            var longest = given.number("seconds", 1, LONGEST_WAIT, 30);
                            var job = new JobRef(given.text("job_id"));
                            var _ = client.awaitFinal(job, Duration.ofSeconds(longest));
                            return client.api().get(job(given, ""));
                        }),
                new AgentTool(
                        "list_approvals",
                        "Lists what a job asks people to decide, with the choices.",
                        Kind.READS,
                        JOB,
                        ONE_JOB,
                        (client, given) ->
                                items(client.api().list(job(given, "/approvals"), MOST))),
                new AgentTool(
                        "list_questions",
                        "Lists what workers of a job want to know before they go on.",
                        Kind.READS,
                        JOB,
                        ONE_JOB,
                        (client, given) ->
                                items(client.api().list(job(given, "/questions"), MOST))),
                new AgentTool(
                        "list_needs",
                        "Lists what waits for a person, the oldest first: quarantined jobs, approvals, questions, tasks in doubt, budgets, stuck jobs.",
                        Kind.READS,
                        text(
                                        "kind",
                                        "quarantine, approval, question, in_doubt, budget or stuck; else all")
                                + ","
                                + LIMIT,
                        "[]",
                        (client, given) ->
                                items(
                                        client.api()
                                                .list(
                                                        "/api/v1/needs"
                                                                + given.optional("kind")
                                                                        .map(kind ->
                                                                                "?kind="
                                                                                        + ToolArguments
                                                                                                .encoded(
                                                                                                        kind))
                                                                        .orElse(""),
                                                        limit(given)))),
                new AgentTool(
                        "list_blueprints",
                        "Lists the definitions of which jobs can be submitted.",
                        Kind.READS,
                        LIMIT,
                        "[]",
                        (client, given) ->
                                items(client.api().list("/api/v1/blueprints", limit(given)))),
                new AgentTool(
                        "get_blueprint",
                        "Shows a definition: its states, versions and the JSON Schemas of its input and result.",
                        Kind.READS,
                        text("name", "the name of the definition"),
                        "[\"name\"]",
                        (client, given) -> blueprint(client, given.text("name"))),
                new AgentTool(
                        "list_schedules",
                        "Lists schedules: when each submits a job next, what became of the last one, and who paused it.",
                        Kind.READS,
                        LIMIT,
                        "[]",
                        (client, given) ->
                                items(client.api().list("/api/v1/schedules", limit(given)))),
                new AgentTool(
                        "list_workers",
                        "Lists workers: what each offers, how busy it is, and why one gets no tasks.",
                        Kind.READS,
                        LIMIT,
                        "[]",
                        (client, given) ->
                                items(client.api().list("/api/v1/workers", limit(given)))));
    }

    private static AgentTool submitting() {
        return new AgentTool(
                "submit_job",
                "Submits a job, which begins at once and does real work. The same idempotency_key gives the same job.",
                Kind.SUBMITS,
                text("blueprint", "the name of the definition")
                        + ",\"input\":{\"type\":\"object\",\"description\":\"the initial data; see the schema of the definition\"},"
                        + text("idempotency_key", "means something, such as the number of an order")
                        + ",\"labels\":{\"type\":\"object\",\"additionalProperties\":{\"type\":\"string\"}}",
                "[\"blueprint\"]",
                (client, given) -> {
                    var submission =
                            JobSubmission.of(given.text("blueprint"), given.object("input"))
                                    .withIdempotencyKey(
                                            given.optional("idempotency_key")
                                                    .orElseGet(() -> UUID.randomUUID().toString()));
                    for (var label : given.object("labels").members().entrySet()) {
                        submission =
                                submission.withLabel(
                                        label.getKey(),
                                        label.getValue() instanceof JsonString(var value)
                                                ? value
                                                : label.getValue().toString());
                    }
                    var job = client.submit(submission);
                    return JsonObject.of("job_id", new JsonString(job.id()));
                });
    }

    private static List<AgentTool> steering() {
        return List.of(
                new AgentTool(
                        "cancel_job",
                        "Ends a job. Its workers are asked to give up; compensations run.",
                        Kind.ENDS,
                        JOB,
                        ONE_JOB,
                        (client, given) -> {
                            client.cancel(ref(given));
                            return done();
                        }),
                new AgentTool(
                        "retry_job",
                        "Lets a quarantined job run its state again.",
                        Kind.STEERS,
                        JOB
                                + ",\"changes\":{\"type\":\"object\",\"description\":\"merged into the data of the job before\"}",
                        ONE_JOB,
                        (client, given) -> {
                            client.retry(ref(given), given.object("changes"));
                            return done();
                        }),
                new AgentTool(
                        "release_job",
                        "Lets a quarantined job go on as it is.",
                        Kind.STEERS,
                        JOB,
                        ONE_JOB,
                        (client, given) -> {
                            client.release(ref(given));
                            return done();
                        }),
                new AgentTool(
                        "skip_job",
                        "Lets a quarantined job go on with a result in place of what failed.",
                        Kind.ENDS,
                        JOB + ",\"result\":{\"description\":\"what it goes on with\"}",
                        "[\"job_id\",\"result\"]",
                        (client, given) -> {
                            client.skip(ref(given), given.value("result"));
                            return done();
                        }),
                new AgentTool(
                        "approve",
                        "Decides about an approval of a job, in the name of this client.",
                        Kind.ENDS,
                        JOB
                                + ","
                                + whole("approval", "its number, see list_approvals")
                                + ","
                                + text("decision", "one of its choices"),
                        "[\"job_id\",\"approval\",\"decision\"]",
                        (client, given) -> {
                            client.decide(
                                    ref(given), given.number("approval"), given.text("decision"));
                            return done();
                        }),
                new AgentTool(
                        "answer_question",
                        "Answers a question of a worker, in the name of this client.",
                        Kind.ENDS,
                        JOB
                                + ","
                                + whole("question", "its number, see list_questions")
                                + ","
                                + text("answer", "one of its choices, if it has any"),
                        "[\"job_id\",\"question\",\"answer\"]",
                        (client, given) -> {
                            client.answer(
                                    ref(given), given.number("question"), given.text("answer"));
                            return done();
                        }),
                new AgentTool(
                        "signal_job",
                        "Sends a signal to a job. The same id again changes nothing.",
                        Kind.STEERS,
                        JOB
                                + ","
                                + text("signal", "its name, in the words of the definition")
                                + ","
                                + text("id", "means something, such as the number of a payment")
                                + ",\"payload\":{\"description\":\"any JSON\"}",
                        "[\"job_id\",\"signal\",\"id\"]",
                        (client, given) -> {
                            client.signal(
                                    ref(given),
                                    given.text("signal"),
                                    given.text("id"),
                                    given.value("payload"));
                            return done();
                        }));
    }

    /// A definition with its graph.
    static JsonObject blueprint(ArtelClient client, String name) {
        var path = ToolArguments.path("/api/v1/blueprints/", name);
        return client.api().get(path).with("graph", client.api().get(path + "/graph?format=json"));
    }

    private static JobRef ref(ToolArguments given) {
        return new JobRef(given.text("job_id"));
    }

    private static JsonValue done() {
        return JsonObject.of("done", JsonValue.of(true));
    }

    private static String job(ToolArguments given, String part) {
        return ToolArguments.path(JOBS, given.text("job_id")) + part;
    }

    private static String jobs(ToolArguments given) {
        var query = new ArrayList<String>();
        for (var name : List.of("status", "blueprint")) {
            given.optional(name)
                    .ifPresent(value -> query.add(name + "=" + ToolArguments.encoded(value)));
        }
        given.optional("words").ifPresent(value -> query.add("q=" + ToolArguments.encoded(value)));
        given.optional("label")
                .ifPresent(value -> {
                    var equals = value.indexOf('=');
                    if (equals < 1) {
                        throw new IllegalArgumentException(
                                "label must be NAME=VALUE, was '" + value + "'");
                    }
                    query.add(
                            "label."
                                    + ToolArguments.encoded(value.substring(0, equals))
                                    + "="
                                    + ToolArguments.encoded(value.substring(equals + 1)));
                });
        return "/api/v1/jobs" + (query.isEmpty() ? "" : "?" + String.join("&", query));
    }

    private static int limit(ToolArguments given) {
        return given.number("limit", 1, MOST, FEW);
    }

    private static JsonValue items(List<JsonObject> items) {
        return JsonObject.of("items", new JsonArray(List.copyOf(items)));
    }

    private static String text(String name, String description) {
        return property(name, "string", description);
    }

    private static String whole(String name, String description) {
        return property(name, "integer", description);
    }

    private static String property(String name, String type, String description) {
        return "\""
                + name
                + "\":{\"type\":\""
                + type
                + "\",\"description\":\""
                + description
                + "\"}";
    }
}
