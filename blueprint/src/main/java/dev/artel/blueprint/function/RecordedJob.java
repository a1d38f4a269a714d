package dev.artel.blueprint.function;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonNull;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.blueprint.ChildResult;
import dev.artel.kernel.blueprint.JobPast;
import dev.artel.kernel.branch.StepCause;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.Outcomes;
import dev.artel.kernel.task.ErrorClass;
import dev.artel.kernel.task.TaskError;
import dev.artel.kernel.task.TaskResult;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.function.Consumer;

/// A job of a function as the API gives its history: what its function was answered, as far as the last run goes. Not safe for use by many
/// threads.
final class RecordedJob implements JobPast {
    private final JobId job;
    private final Map<Integer, TaskResult> tasks = new HashMap<>();
    private final Map<Integer, ChildResult> children = new HashMap<>();
    private History history = History.empty();
    private String last = "";
    private JsonObject initialData = JsonObject.EMPTY;
    private JsonObject input = JsonObject.EMPTY;
    private Optional<JsonValue> result = Optional.empty();

    private RecordedJob(JobId job) {
        this.job = job;
    }

    /// Reads a history that was saved: `items` are the events of job `job_id`, oldest first.
    ///
    /// @throws IllegalArgumentException if these are not the events of a job from its first one on
    static RecordedJob of(JsonObject history) {
        var job = new JobId(history.string("job_id").orElse("recorded"));
        var events =
                history.array("items").map(JsonArray::values).orElse(List.of()).stream()
                        .filter(JsonObject.class::isInstance)
                        .map(JsonObject.class::cast)
                        .toList();
        var recorded = new RecordedJob(job);
        if (events.isEmpty()
                || events.getFirst().string("type").filter("job.submitted"::equals).isEmpty()) {
            throw new IllegalArgumentException(
                    "the history of job "
                            + job
                            + " is to be replayed and does not begin with job.submitted; give all of"
                            + " its events, oldest first");
        }
        events.forEach(recorded::add);
        return recorded;
    }

    private void add(JsonObject event) {
        switch (event.string("type").orElse("")) {
            case "job.submitted" -> {
                initialData = object(event, "initial_data");
                input = initialData;
            }
            case "step.done" ->
                    event.object("changes")
                            .flatMap(changes -> changes.get(Entry.NAME))
                            .map(RecordedJob::inline)
                            .ifPresent(entry -> last = history.add(entry).id());
            case "job.forked", "job.rewound" -> last = lastOf(object(event, "data"));
            case "job.continued" -> {
                var data = object(event, "data");
                history = History.empty();
                last = lastOf(data);
                input =
                        data.get(Entry.INPUT)
                                .map(RecordedJob::inline)
                                .filter(JsonObject.class::isInstance)
                                .map(JsonObject.class::cast)
                                .orElse(initialData);
            }
            case "task.succeeded", "task.reused" -> succeeded(event);
            case "outcome.resolved" -> {
                switch (event.string("outcome").orElse("")) {
                    case "happened" -> succeeded(event);
                    case "failed" -> failed(event, "FAILED", event.string("reason").orElse(""));
                    default -> {
                        // the task is done again
                    }
                }
            }
            case "task.failed" -> {
                var error = event.object("error").orElse(JsonObject.EMPTY);
                failed(event, error.string("code").orElse(""), error.string("message").orElse(""));
            }
            case "child.ended" ->
                    child(
                            event,
                            event.string("outcome").orElse(""),
                            event.get("data").map(RecordedJob::inline).orElse(JsonObject.EMPTY));
            case "child.refused" ->
                    child(
                            event,
                            Outcomes.FAILED,
                            JsonObject.of(
                                    "error_message",
                                    JsonValue.of(
                                            "could not be started: "
                                                    + event.string("reason").orElse(""))));
            case "job.ended" -> result = event.get("result").map(RecordedJob::inline);
            default -> {
                // of no concern to the function
            }
        }
    }

    private JsonObject object(JsonObject event, String name) {
        return event.get(name).map(RecordedJob::inline).orElse(JsonObject.EMPTY)
                        instanceof JsonObject object
                ? object
                : JsonObject.EMPTY;
    }

    private String lastOf(JsonObject data) {
        return data.get(Entry.NAME)
                .map(RecordedJob::inline)
                .filter(JsonObject.class::isInstance)
                .flatMap(entry -> ((JsonObject) entry).string("id"))
                .orElse("");
    }

    private void succeeded(JsonObject event) {
        var task = number(event, "task");
        tasks.put(
                task,
                new TaskResult.Succeeded(
                        task,
                        event.string("status").orElse(""),
                        event.get("data").orElse(JsonNull.NULL),
                        event.string("worker").orElse(""),
                        1));
    }

    private void failed(JsonObject event, String code, String message) {
        var task = number(event, "task");
        tasks.put(
                task,
                new TaskResult.Failed(task, new TaskError(ErrorClass.PERMANENT, code, message)));
    }

    private void child(JsonObject event, String outcome, JsonValue data) {
        var number = number(event, "child");
        var report = data instanceof JsonObject object ? object : JsonObject.EMPTY;
        children.put(
                number,
                new ChildResult(
                        number,
                        event.string("job_id").map(JobId::new).orElse(job),
                        outcome.toLowerCase(Locale.ROOT),
                        () -> report));
    }

    private static int number(JsonObject event, String name) {
        return (int)
                event.number(name)
                        .orElseThrow(() ->
                                new IllegalArgumentException(
                                        "an event "
                                                + event.string("type").orElse("")
                                                + " has no number '"
                                                + name
                                                + "': "
                                                + event))
                        .asLong();
    }

    /// Whose history it is.
    JobId job() {
        return job;
    }

    JsonObject initialData() {
        return initialData;
    }

    JsonObject input() {
        return input;
    }

    /// What its function did, oldest first.
    List<Entry> entries() {
        return last.isEmpty() ? List.of() : history.upTo(last);
    }

    /// With what it finished; empty if it has not.
    Optional<JsonValue> result() {
        return result;
    }

    @Override
    public boolean isAhead() {
        return false;
    }

    @Override
    public StepCause cause() {
        return new StepCause.Started();
    }

    @Override
    public Optional<StepCause> causeOf(int branch) {
        return Optional.empty();
    }

    @Override
    public JsonObject dataFor(int branch, StepCause cause) {
        return JsonObject.EMPTY;
    }

    @Override
    public Optional<Place> place() {
        return Optional.empty();
    }

    @Override
    public void forEach(String name, Consumer<JsonValue> value) {
        // a replay reads the entries, and nothing else
    }

    @Override
    public Optional<Compensating> compensating() {
        return Optional.empty();
    }

    @Override
    public TaskResult task(int number) {
        var known = tasks.getOrDefault(number, new TaskResult.Cancelled(number));
        return known
                        instanceof
                        TaskResult.Succeeded(
                                var index,
                                var status,
                                var data,
                                var worker,
                                var attempt)
                ? new TaskResult.Succeeded(index, status, inline(data), worker, attempt)
                : known;
    }

    @Override
    public SequencedSet<Integer> handedOut(int first, int count) {
        return new LinkedHashSet<>();
    }

    @Override
    public ChildResult child(int number) {
        return children.getOrDefault(
                number, new ChildResult(number, job, Outcomes.CANCELLED, () -> JsonObject.EMPTY));
    }

    /// Values that the API gives by their address, in histories that were saved without them: there are none.
    private static JsonValue inline(JsonValue value) {
        if (value instanceof JsonObject object && object.has("large_value")) {
            throw new IllegalArgumentException(
                    "the history has a value by its address alone, "
                            + object
                            + "; save it with ./artel replay JOB --save FILE, which reads them");
        }
        return value;
    }
}
