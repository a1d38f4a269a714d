package dev.artel.simulation.function;

import dev.artel.blueprint.Approval;
import dev.artel.blueprint.ApprovalCall;
import dev.artel.blueprint.ApprovalDecision;
import dev.artel.blueprint.CallFailed;
import dev.artel.blueprint.ChildCall;
import dev.artel.blueprint.KernelBridge;
import dev.artel.blueprint.Promise;
import dev.artel.blueprint.Run;
import dev.artel.blueprint.RunCancelled;
import dev.artel.blueprint.Signal;
import dev.artel.blueprint.TaskCall;
import dev.artel.blueprint.ValueType;
import dev.artel.json.JsonArray;
import dev.artel.json.JsonNull;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.kernel.blueprint.ChildResult;
import dev.artel.kernel.child.Child;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.Outcomes;
import dev.artel.kernel.job.Task;
import dev.artel.kernel.task.Payload;
import java.io.Serial;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What the history of a job answers its function, read by a judge: results are those that the tasks and children of the job have, and what the
/// code asks for is compared with what the history has, one after another. It shares no code with the runs of an orchestrator, and needs no thread.
final class RecordedRun implements Run<JsonObject> {
    private final Job job;
    private final JsonObject initialData;
    private final Deque<JsonObject> entries;
    private final Function<Payload, JsonValue> values;
    private final Function<String, RuntimeException> finding;

    /// By number.
    private final SequencedMap<Integer, Recorded<?>> open = new LinkedHashMap<>();

    /// The parameters of the tasks and the input of the children for which the code asked, by their place.
    private final Map<Long, JsonObject> asked = new HashMap<>();

    private List<JsonObject> items = List.of();
    private int taken;
    private int operations;
    private @Nullable String cancelled;

    /// The history ends where the code waits.
    static final class EndOfHistory extends Error {
        @Serial private static final long serialVersionUID = 1;

        private EndOfHistory() {
            super("the history ends here", null, false, false);
        }
    }

    /// The code begins anew.
    static final class Continued extends Error {
        @Serial private static final long serialVersionUID = 1;

        private Continued() {
            super("the run continues as new", null, false, false);
        }
    }

    /// @param entries of the history, oldest first
    /// @param values reads what is kept apart
    /// @param finding reports what is wrong
    RecordedRun(
            Job job,
            JsonObject initialData,
            List<JsonObject> entries,
            Function<Payload, JsonValue> values,
            Function<String, RuntimeException> finding) {
        this.job = job;
        this.initialData = initialData;
        this.entries = new ArrayDeque<>(entries);
        this.values = values;
        this.finding = finding;
    }

    // For the judge

    /// Comes to where the code begins.
    void begin() {
        goOn();
    }

    /// The code is over: nothing may follow.
    void end() {
        requireAllTaken();
        if (!entries.isEmpty()) {
            throw finding.apply(
                    "its code is over, and its history goes on with " + entries.getFirst());
        }
    }

    /// The parameters of the tasks and the input of the children for which the code asked, by their place.
    Map<Long, JsonObject> asked() {
        return asked;
    }

    // Answers

    private final class Recorded<R> implements Promise<R> {
        private final Function<JsonObject, R> reading;
        private @Nullable JsonObject answer;

        Recorded(Function<JsonObject, R> reading) {
            this.reading = reading;
        }

        @Override
        public R get() {
            await(List.of(this), true);
            var known = answer;
            if (known == null) {
                throw new IllegalStateException("nothing was awaited");
            }
            return reading.apply(known);
        }

        @Override
        public boolean isDone() {
            return answer != null;
        }
    }

    private void await(List<? extends Recorded<?>> promises, boolean isAll) {
        meetCancel();
        while (!isOver(promises, isAll)) {
            goOn();
            meetCancel();
            if (!isOver(promises, isAll)) {
                throw finding.apply("its code went on before what it waits for was there");
            }
        }
    }

    private static boolean isOver(List<? extends Recorded<?>> promises, boolean isAll) {
        return isAll
                ? promises.stream().allMatch(Recorded::isDone)
                : promises.stream().anyMatch(Recorded::isDone);
    }

    /// To the next entry with which the code went on.
    private void goOn() {
        requireAllTaken();
        while (!entries.isEmpty()) {
            var entry = entries.remove();
            entry.array("heard").stream()
                    .flatMap(JsonArray::stream)
                    .map(JsonObject.class::cast)
                    .forEach(this::hear);
            entry.string("cancelled").ifPresent(this::cancel);
            if (entry.has("asked")) {
                items =
                        entry.array("asked").stream()
                                .flatMap(JsonArray::stream)
                                .map(JsonObject.class::cast)
                                .toList();
                taken = 0;
                return;
            }
        }
        throw new EndOfHistory();
    }

    private void hear(JsonObject answer) {
        var promise = open.remove(number(answer, "op"));
        if (promise == null) {
            throw finding.apply("it was answered what it does not wait for: " + answer);
        }
        promise.answer = answer;
    }

    private void cancel(String reason) {
        cancelled = reason;
        var answer = JsonObject.of("failed", new JsonString(reason));
        open.values().forEach(promise -> promise.answer = answer);
        open.clear();
    }

    private void meetCancel() {
        var reason = cancelled;
        if (reason != null) {
            cancelled = null;
            throw new RunCancelled(reason);
        }
    }

    private void requireAllTaken() {
        if (taken < items.size()) {
            throw finding.apply(
                    "its history has what its code does not ask for: " + items.get(taken));
        }
    }

    private static int number(JsonObject object, String name) {
        return (int) object.number(name).orElseThrow().asLong();
    }

    // Requests

    private JsonObject next(String kind, String name) {
        meetCancel();
        if (taken == items.size()) {
            throw finding.apply(
                    "its code asks for " + kind + " '" + name + "', and its history does not");
        }
        var item = items.get(taken++);
        if (!item.string("k").equals(Optional.of(kind))
                || !item.string("n").orElse("").equals(name)) {
            throw finding.apply(
                    "its code asks for " + kind + " '" + name + "', and its history has " + item);
        }
        return item;
    }

    private <R> Promise<R> ask(String kind, String name, Function<JsonObject, R> reading) {
        var _ = next(kind, name);
        var promise = new Recorded<>(reading);
        open.put(operations++, promise);
        return promise;
    }

    private void asksFor(JsonObject params) {
        params.number(JobWorld.CALL).ifPresent(place -> asked.put(place.asLong(), params));
    }

    private static CallFailed failed(String call, JsonObject answer) {
        if (answer.has("overdue")) {
            return new CallFailed(call, "OVERDUE", "the time was over");
        }
        return new CallFailed(
                call,
                "NOT_DONE",
                answer.string("failed")
                        .orElse("it could not begin; the job's history has the reason"));
    }

    private List<JsonValue> tasks(List<? extends TaskCall<?>> calls, JsonObject answer) {
        var type = calls.isEmpty() ? "" : KernelBridge.task(calls.getFirst()).type();
        if (!answer.has("task") || number(answer, "count") != calls.size()) {
            throw failed("task " + type, answer);
        }
        var results = new ArrayList<JsonValue>();
        for (var i = 0; i < calls.size(); i++) {
            var task = job.tasks().get(number(answer, "task") + i);
            var spec = KernelBridge.task(calls.get(i));
            if (!task.spec().type().equals(spec.type())
                    || !values.apply(task.spec().params()).equals(values.apply(spec.params()))) {
                throw finding.apply(
                        "its code asks for "
                                + spec
                                + ", and the history answers with task "
                                + task);
            }
            switch (task.state()) {
                case Task.Succeeded done -> results.add(values.apply(done.data()));
                case Task.Failed(var error) ->
                        throw new CallFailed("task " + type, error.code(), error.message());
                case Task.Planned _, Task.Open _, Task.Doubtful _, Task.Cancelled _ ->
                        throw new CallFailed(
                                "task " + type, "CANCELLED", "it was no longer wanted");
            }
        }
        return results;
    }

    private List<JsonValue> children(List<? extends ChildCall<?>> calls, JsonObject answer) {
        var call = "child " + KernelBridge.blueprint(calls.getFirst());
        if (!answer.has("child") || number(answer, "count") != calls.size()) {
            throw failed(call, answer);
        }
        var results = new ArrayList<JsonValue>();
        for (var i = 0; i < calls.size(); i++) {
            var child = job.children().children().get(number(answer, "child") + i);
            var place = child.spec().initialData().get(JobWorld.CALL).map(values);
            if (!child.spec().blueprint().equals(KernelBridge.blueprint(calls.get(i)))
                    || !place.equals(KernelBridge.input(calls.get(i)).get(JobWorld.CALL))) {
                throw finding.apply(
                        "its code asks for child "
                                + KernelBridge.input(calls.get(i))
                                + ", and the history answers with "
                                + child);
            }
            var result = result(child);
            if (!result.hasFinished()) {
                throw new CallFailed(
                        call,
                        result.outcome().toUpperCase(Locale.ROOT),
                        "job " + result.job() + ": " + result.error().orElse("it did not finish"));
            }
            results.add(result.result().orElse(JsonNull.NULL));
        }
        return results;
    }

    private ChildResult result(Child child) {
        return switch (child.state()) {
            case Child.Ended(var outcome, int _, var result) ->
                    new ChildResult(
                            child.number(),
                            child.id(),
                            outcome,
                            () ->
                                    values.apply(result) instanceof JsonObject object
                                            ? object
                                            : JsonObject.EMPTY);
            case Child.Refused(var reason) ->
                    new ChildResult(
                            child.number(),
                            child.id(),
                            Outcomes.FAILED,
                            () ->
                                    JsonObject.of(
                                            "error_message",
                                            JsonValue.of("could not be started: " + reason)));
            case Child.Planned _,
                    Child.Withdrawn _,
                    Child.Asked _,
                    Child.Unwanted _,
                    Child.Running _,
                    Child.Free _,
                    Child.Stopping _,
                    Child.Stopped _ ->
                    new ChildResult(
                            child.number(), child.id(), Outcomes.CANCELLED, () -> JsonObject.EMPTY);
        };
    }

    @Override
    public String job() {
        return job.id().value();
    }

    @Override
    public JsonObject initialData() {
        return initialData;
    }

    @Override
    public <R> Promise<R> async(TaskCall<R> task) {
        var spec = KernelBridge.task(task);
        asksFor((JsonObject) values.apply(spec.params()));
        return ask(
                "call",
                spec.type(),
                answer -> KernelBridge.result(task).apply(tasks(List.of(task), answer).getFirst()));
    }

    @Override
    public <T, R> List<R> map(List<T> items, int window, Function<? super T, TaskCall<R>> task) {
        var calls = items.stream().<TaskCall<R>>map(task).toList();
        calls.forEach(call -> asksFor((JsonObject) values.apply(KernelBridge.task(call).params())));
        var type = calls.isEmpty() ? "" : KernelBridge.task(calls.getFirst()).type();
        return ask("map", type, answer -> read(calls, KernelBridge::result, tasks(calls, answer)))
                .get();
    }

    private static <C, R> List<R> read(
            List<C> calls, Function<C, Function<JsonValue, R>> reading, List<JsonValue> results) {
        var all = new ArrayList<R>();
        for (var i = 0; i < calls.size(); i++) {
            all.add(reading.apply(calls.get(i)).apply(results.get(i)));
        }
        return all;
    }

    @Override
    public <R> Promise<R> asyncChild(ChildCall<R> child) {
        asksFor(KernelBridge.input(child));
        return ask(
                "child",
                KernelBridge.blueprint(child),
                answer ->
                        KernelBridge.result(child)
                                .apply(children(List.of(child), answer).getFirst()));
    }

    @Override
    public <T, R> List<R> mapChildren(
            List<T> items, int window, Function<? super T, ChildCall<R>> child) {
        var calls = items.stream().<ChildCall<R>>map(child).toList();
        calls.forEach(call -> asksFor(KernelBridge.input(call)));
        return ask(
                        "children",
                        KernelBridge.blueprint(calls.getFirst()),
                        answer -> read(calls, KernelBridge::result, children(calls, answer)))
                .get();
    }

    @Override
    public void start(ChildCall<?> child) {
        asksFor(KernelBridge.input(child));
        var blueprint = KernelBridge.blueprint(child);
        var _ =
                this.<Boolean>ask(
                                "start",
                                blueprint,
                                answer -> {
                                    if (answer.size() > 1) {
                                        throw failed("child " + blueprint, answer);
                                    }
                                    return true;
                                })
                        .get();
    }

    @Override
    public Promise<Boolean> timer(Duration time) {
        return ask("sleep", "", _ -> true);
    }

    @Override
    public <T> Promise<T> asyncSignal(Signal<T> signal) {
        return ask("signal", signal.name(), answer -> payload(signal, answer).orElseThrow());
    }

    @Override
    public <T> Promise<Optional<T>> asyncSignal(Signal<T> signal, Duration time) {
        return ask("signal", signal.name(), answer -> payload(signal, answer));
    }

    private static <T> Optional<T> payload(Signal<T> signal, JsonObject answer) {
        if (answer.has("overdue")) {
            return Optional.empty();
        }
        return Optional.of(
                signal.payload()
                        .read(
                                answer.get("value")
                                        .orElseThrow(
                                                () -> failed("signal " + signal.name(), answer)),
                                signal.name()));
    }

    @Override
    public <C> Promise<ApprovalDecision<C>> asyncApproval(ApprovalCall<C> question) {
        Approval<C> approval = question.approval();
        return ask(
                "approval",
                "",
                answer ->
                        ApprovalDecision.of(
                                answer.get("value").orElseThrow(() -> failed("approval", answer)),
                                approval::choice));
    }

    @Override
    public <R> List<R> all(List<? extends Promise<? extends R>> promises) {
        await(recorded(promises.stream()), true);
        var results = new ArrayList<R>();
        for (var promise : promises) {
            results.add(promise.get());
        }
        return results;
    }

    @Override
    public <P extends Promise<?>> P any(List<P> promises) {
        await(recorded(promises.stream()), false);
        return promises.stream().filter(Promise::isDone).findFirst().orElseThrow();
    }

    private static List<Recorded<?>> recorded(Stream<? extends Promise<?>> promises) {
        return promises.<Recorded<?>>map(promise -> (Recorded<?>) promise).toList();
    }

    private JsonValue value(String kind, String name) {
        return next(kind, name).get("v").orElseThrow();
    }

    @Override
    public <T> T record(String name, Class<T> type, Supplier<? extends T> effect) {
        return ValueType.of(type).read(value("record", name), name);
    }

    @Override
    public Instant now() {
        return Instant.parse(((JsonString) value("now", "")).value());
    }

    @Override
    public double random() {
        return ((JsonNumber) value("random", "")).asDouble();
    }

    @Override
    public int version(String name, int oldest, int newest) {
        return (int) ((JsonNumber) value("version", name)).asLong();
    }

    @Override
    public RuntimeException continueAsNew(JsonObject input) {
        meetCancel();
        throw new Continued();
    }
}
