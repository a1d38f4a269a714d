package dev.artel.blueprint.function;

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
import dev.artel.json.JsonNull;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.JobPast;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.task.TaskResult;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// What a function has asked for and been answered so far. Used by the thread of the function and by the handler that has entered it, never
/// at once: the one is parked while the other runs.
///
/// @param <I> what the job was submitted with
final class FunctionRun<I> implements Run<I> {
    /// So many requests, or so many characters of recorded values, are made durable before the function goes on.
    private static final int MOST_ITEMS = 500;

    private static final int MOST_CHARACTERS = 200_000;

    /// How many operations may be under way at once.
    private static final int MOST_OUTSTANDING = 10_000;

    private final FunctionCode<I, ?> code;
    private final JobId job;
    private final JsonObject initialData;
    private final Sources sources;
    private final FunctionThread thread;

    /// By number; those that are not answered.
    private final SequencedMap<Integer, LivePromise<?>> outstanding = new LinkedHashMap<>();

    private final Map<String, Integer> versions = new HashMap<>();

    /// How operations are compensated that need their results for it, by number.
    private final Map<String, Compensating> compensations = new HashMap<>();

    /// What the history has for the step that is replayed; null: the function goes beyond it.
    private @Nullable List<Item> expected;

    private int taken;

    /// How many requests were made before the step.
    private int position;

    private List<Item> asked = new ArrayList<>();
    private int characters;
    private int operations;
    private Wait wait = Wait.NOTHING;
    private @Nullable String mismatch;

    /// Why the job was cancelled, until the code has met that.
    private @Nullable String cancelled;

    private JobPast past = JobPast.NONE;

    /// From where what differs from run to run comes.
    record Sources(Supplier<Instant> clock, RandomGenerator random) {}

    /// What the function waits for.
    ///
    /// @param isAll whether for all of them, or for one
    record Wait(List<LivePromise<?>> promises, boolean isAll) {
        static final Wait NOTHING = new Wait(List.of(), true);

        boolean isOver() {
            return isAll
                    ? promises.stream().allMatch(LivePromise::isAnswered)
                    : promises.stream().anyMatch(LivePromise::isAnswered);
        }
    }

    FunctionRun(
            FunctionCode<I, ?> code,
            JobId job,
            JsonObject initialData,
            Sources sources,
            FunctionThread thread) {
        this.code = code;
        this.job = job;
        this.initialData = initialData;
        this.sources = sources;
        this.thread = thread;
    }

    /// How an operation is compensated with its result.
    record Compensating(Operation operation, CallCompensation by) {}

    // For the handler

    /// Runs the code, in the thread of the function.
    JsonValue call(JsonObject input) throws Exception {
        return code.run(this, input);
    }

    /// How the operations are compensated for which the code has asked so far and that need their results for it, by number.
    Map<String, Compensating> compensations() {
        return Map.copyOf(compensations);
    }

    /// Lets the code run on until it waits for what is not there.
    ///
    /// @param history what it must ask for; null: it may ask for anything
    /// @param source where results are
    void runOn(@Nullable List<Item> history, JobPast source) throws InterruptedException {
        expected = history;
        taken = 0;
        position += asked.size();
        asked = new ArrayList<>();
        characters = 0;
        past = source;
        thread.resume();
        past = JobPast.NONE;
    }

    /// What the code asked for when it ran last.
    List<Item> asked() {
        return asked;
    }

    Optional<String> mismatch() {
        return Optional.ofNullable(mismatch);
    }

    /// That the code has stopped before it has asked for all that the history has.
    Optional<String> missing(String instead) {
        var known = expected;
        if (known == null) {
            return Optional.empty();
        }
        while (taken < known.size() && known.get(taken).kind().equals(Item.VERSION)) {
            taken++;
        }
        return taken == known.size()
                ? Optional.empty()
                : Optional.of(
                        "at position "
                                + (position + taken)
                                + " the history has "
                                + known.get(taken).text(known.get(taken))
                                + ", and the code "
                                + instead);
    }

    Wait waitsFor() {
        return wait;
    }

    void hear(int operation, OperationResult answer) {
        var promise = outstanding.remove(operation);
        if (promise != null) {
            promise.answer(answer);
        }
    }

    /// The job was cancelled: the code meets that, and hears of nothing for which it has asked.
    void cancel(String reason) {
        cancelled = reason;
        outstanding.values().forEach(promise -> promise.answer(new OperationResult.Failed(reason)));
        outstanding.clear();
        wait = Wait.NOTHING;
    }

    boolean isOutstanding(int operation) {
        return outstanding.containsKey(operation);
    }

    int outstanding() {
        return outstanding.size();
    }

    Optional<Operation> operation(int number) {
        return Optional.ofNullable(outstanding.get(number)).map(promise -> promise.operation);
    }

    /// What the code waits for, as far as operations with consecutive numbers are not answered.
    Optional<BranchOperations.Work> unheard() {
        return wait.promises().stream()
                .map(promise -> promise.number)
                .filter(this::isOutstanding)
                .findFirst()
                .map(number -> {
                    var first = number;
                    while (isOutstanding(first - 1)) {
                        first--;
                    }
                    var end = number + 1;
                    while (isOutstanding(end)) {
                        end++;
                    }
                    return new BranchOperations.Work(first, end - first);
                });
    }

    /// How many requests the code has made.
    int requests() {
        return position + asked.size();
    }

    /// How many operations it has asked for.
    int operations() {
        return operations;
    }

    // For the function

    void checkAlive() {
        thread.check();
    }

    private void meetCancel() {
        checkAlive();
        var reason = cancelled;
        if (reason != null) {
            cancelled = null;
            throw new RunCancelled(reason);
        }
    }

    private <R> Promise<R> ask(Operation operation, Function<OperationResult, R> reading) {
        meetCancel();
        if (outstanding.size() >= MOST_OUTSTANDING) {
            throw new IllegalStateException(
                    "job "
                            + job
                            + " asked for "
                            + operation.text()
                            + " while "
                            + MOST_OUTSTANDING
                            + " operations are under way; await some of them before, or use map");
        }
        var _ = exchange(operation.item());
        var promise = new LivePromise<>(this, operations++, operation, reading);
        outstanding.put(promise.number, promise);
        operation
                .compensation()
                .filter(by -> !(by instanceof CallCompensation.ByTask))
                .ifPresent(by ->
                        compensations.put(
                                Integer.toString(promise.number), new Compensating(operation, by)));
        makeRoom();
        return promise;
    }

    private JsonValue value(String kind, String name, Supplier<JsonValue> value) {
        meetCancel();
        var known = next(kind);
        var item = Item.value(kind, name, known.flatMap(Item::value).orElseGet(value));
        var recorded = exchange(item).value().orElseThrow();
        makeRoom();
        return recorded;
    }

    /// What the history has next, if it is of `kind`.
    private Optional<Item> next(String kind) {
        skipVersions(kind);
        var known = expected;
        return known != null && taken < known.size() && known.get(taken).kind().equals(kind)
                ? Optional.of(known.get(taken))
                : Optional.empty();
    }

    /// Code that no longer asks for a version goes on without it.
    private void skipVersions(String kind) {
        var known = expected;
        while (known != null
                && !kind.equals(Item.VERSION)
                && taken < known.size()
                && known.get(taken).kind().equals(Item.VERSION)) {
            asked.add(known.get(taken++));
        }
    }

    /// Compares `item` with the history, or adds it.
    private Item exchange(Item item) {
        checkAlive();
        skipVersions(item.kind());
        var known = expected;
        if (known == null) {
            asked.add(item);
            characters += item.value().map(it -> it.toString().length()).orElse(0);
            return item;
        }
        if (taken == known.size()) {
            throw stop(
                    "at position "
                            + (position + taken)
                            + " the history has nothing more before the next answer, and the code asked"
                            + " for "
                            + item.text(item));
        }
        var recorded = known.get(taken);
        if (!recorded.asks(item)) {
            throw stop(
                    "at position "
                            + (position + taken)
                            + " the history has "
                            + recorded.text(item)
                            + ", and the code asked for "
                            + item.text(recorded));
        }
        taken++;
        asked.add(recorded);
        return recorded;
    }

    private Evicted stop(String found) {
        mismatch = found;
        return thread.evictSelf(found);
    }

    /// What is recorded is made durable from time to time; a replay comes to the same places.
    private void makeRoom() {
        var known = expected;
        var isFull =
                known == null
                        ? asked.size() >= MOST_ITEMS || characters >= MOST_CHARACTERS
                        : taken == known.size() && isFlushed;
        if (isFull) {
            wait = Wait.NOTHING;
            thread.park();
        }
    }

    /// Whether the step that is replayed ended where the function could have gone on.
    private boolean isFlushed;

    void replaysFlush(boolean flushed) {
        isFlushed = flushed;
    }

    void awaitAll(List<? extends LivePromise<?>> promises) {
        await(new Wait(List.copyOf(promises), true));
    }

    private void await(Wait next) {
        meetCancel();
        for (var promise : next.promises()) {
            if (!promise.isAnswered() && outstanding.get(promise.number) != promise) {
                throw new IllegalStateException(
                        "job " + job + " waits for a promise of another run; use those of its own");
            }
        }
        while (!next.isOver()) {
            wait = next;
            thread.park();
            meetCancel();
        }
        wait = Wait.NOTHING;
    }

    @Override
    public String job() {
        return job.value();
    }

    @Override
    public I initialData() {
        return code.type().input().read(initialData, "initial data");
    }

    @Override
    public <R> Promise<R> async(TaskCall<R> task) {
        var operation =
                new Operation.Tasks(
                        List.of(KernelBridge.task(task)), 1, KernelBridge.compensation(task), true);
        return ask(
                operation,
                answer -> KernelBridge.result(task).apply(results(operation, answer).getFirst()));
    }

    @Override
    public <T, R> List<R> map(List<T> items, int window, Function<? super T, TaskCall<R>> task) {
        var calls = items.stream().<TaskCall<R>>map(task).toList();
        var operation =
                new Operation.Tasks(
                        calls.stream().map(KernelBridge::task).toList(),
                        window,
                        CallCompensation.ofMap(
                                calls.stream().map(KernelBridge::compensation).toList()),
                        false);
        return ask(
                        operation,
                        answer -> {
                            var results = results(operation, answer);
                            var all = new ArrayList<R>(calls.size());
                            for (var i = 0; i < calls.size(); i++) {
                                all.add(KernelBridge.result(calls.get(i)).apply(results.get(i)));
                            }
                            return (List<R>) all;
                        })
                .get();
    }

    private List<JsonValue> results(Operation.Tasks operation, OperationResult answer) {
        if (!(answer instanceof OperationResult.Tasks(int first, int count))
                || count != operation.specs().size()) {
            throw failed(operation, answer);
        }
        var results = new ArrayList<JsonValue>(count);
        for (var number = first; number < first + count; number++) {
            switch (past.task(number)) {
                case TaskResult.Succeeded succeeded -> results.add(succeeded.data());
                case TaskResult.Failed(int _, var error) ->
                        throw new CallFailed(operation.text(), error.code(), error.message());
                case TaskResult.Cancelled _ ->
                        throw new CallFailed(
                                operation.text(), "CANCELLED", "it was no longer wanted");
            }
        }
        return results;
    }

    private static CallFailed failed(Operation operation, OperationResult answer) {
        return switch (answer) {
            case OperationResult.Failed(var reason) ->
                    new CallFailed(operation.text(), "NOT_DONE", reason);
            case OperationResult.Overdue _ ->
                    new CallFailed(operation.text(), "OVERDUE", "the time was over");
            case OperationResult.Tasks _,
                    OperationResult.Children _,
                    OperationResult.Value _,
                    OperationResult.Done _ ->
                    new CallFailed(
                            operation.text(),
                            "NOT_DONE",
                            "it could not begin; the job's history has the reason");
        };
    }

    @Override
    public <R> Promise<R> asyncChild(ChildCall<R> child) {
        var operation = children(List.of(child), 1, true);
        return ask(
                operation,
                answer ->
                        KernelBridge.result(child)
                                .apply(childResults(operation, answer).getFirst()));
    }

    @Override
    public <T, R> List<R> mapChildren(
            List<T> items, int window, Function<? super T, ChildCall<R>> child) {
        var calls = items.stream().<ChildCall<R>>map(child).toList();
        if (calls.isEmpty()) {
            return List.of();
        }
        var operation = children(calls, window, false);
        return ask(
                        operation,
                        answer -> {
                            var results = childResults(operation, answer);
                            var all = new ArrayList<R>(calls.size());
                            for (var i = 0; i < calls.size(); i++) {
                                all.add(KernelBridge.result(calls.get(i)).apply(results.get(i)));
                            }
                            return (List<R>) all;
                        })
                .get();
    }

    private static <R> Operation.Children children(
            List<ChildCall<R>> calls, int window, boolean isOne) {
        var first = calls.getFirst();
        for (var call : calls) {
            if (!KernelBridge.blueprint(call).equals(KernelBridge.blueprint(first))) {
                throw new IllegalArgumentException(
                        "mapChildren runs children of one blueprint, got "
                                + KernelBridge.blueprint(first)
                                + " and "
                                + KernelBridge.blueprint(call)
                                + "; use asyncChild for each of them");
            }
        }
        var each =
                Action.runBlueprints(
                                KernelBridge.blueprint(first), List.of(), FunctionBlueprint.RUN)
                        .each(KernelBridge.change(first))
                        .each();
        return new Operation.Children(
                each,
                calls.stream().map(KernelBridge::input).toList(),
                window,
                isOne
                        ? KernelBridge.compensation(first)
                        : CallCompensation.ofMap(
                                calls.stream().map(KernelBridge::compensation).toList()),
                isOne);
    }

    private List<JsonValue> childResults(Operation.Children operation, OperationResult answer) {
        if (!(answer instanceof OperationResult.Children(int first, int count))
                || count != operation.inputs().size()) {
            throw failed(operation, answer);
        }
        var results = new ArrayList<JsonValue>(count);
        for (var number = first; number < first + count; number++) {
            var result = past.child(number);
            if (!result.hasFinished()) {
                throw new CallFailed(
                        operation.text(),
                        result.outcome().toUpperCase(java.util.Locale.ROOT),
                        "job " + result.job() + ": " + result.error().orElse("it did not finish"));
            }
            results.add(result.result().orElse(JsonNull.NULL));
        }
        return results;
    }

    @Override
    public void start(ChildCall<?> child) {
        var detached =
                KernelBridge.change(child)
                        .apply(
                                Action.startBlueprint(
                                        KernelBridge.blueprint(child),
                                        KernelBridge.input(child),
                                        FunctionBlueprint.RUN));
        var operation = new Operation.Start(detached);
        var _ =
                this.<Boolean>ask(
                                operation,
                                answer -> {
                                    if (!(answer instanceof OperationResult.Done)) {
                                        throw failed(operation, answer);
                                    }
                                    return true;
                                })
                        .get();
    }

    @Override
    public Promise<Boolean> timer(Duration time) {
        return ask(new Operation.Sleep(time), _ -> true);
    }

    @Override
    public <T> Promise<T> asyncSignal(Signal<T> signal) {
        var operation = new Operation.Signal(signal.name(), Optional.empty());
        return ask(operation, answer -> payload(signal, operation, answer).orElseThrow());
    }

    @Override
    public <T> Promise<Optional<T>> asyncSignal(Signal<T> signal, Duration time) {
        var operation = new Operation.Signal(signal.name(), Optional.of(time));
        return ask(operation, answer -> payload(signal, operation, answer));
    }

    private static <T> Optional<T> payload(
            Signal<T> signal, Operation operation, OperationResult answer) {
        return switch (answer) {
            case OperationResult.Value(var value) ->
                    Optional.of(signal.payload().read(value, signal.name()));
            case OperationResult.Overdue _ -> Optional.empty();
            case OperationResult.Tasks _,
                    OperationResult.Children _,
                    OperationResult.Done _,
                    OperationResult.Failed _ ->
                    throw failed(operation, answer);
        };
    }

    @Override
    public <C> Promise<ApprovalDecision<C>> asyncApproval(ApprovalCall<C> question) {
        Approval<C> approval = question.approval();
        var operation =
                new Operation.Approval(
                        question.message(),
                        KernelBridge.approvers(question),
                        approval.words(),
                        question.within());
        return ask(
                operation,
                answer -> {
                    if (answer instanceof OperationResult.Value(var decided)) {
                        return ApprovalDecision.of(decided, approval::choice);
                    }
                    throw failed(operation, answer);
                });
    }

    @Override
    public <R> List<R> all(List<? extends Promise<? extends R>> promises) {
        awaitAll(promises.stream().map(FunctionRun::live).toList());
        var results = new ArrayList<R>(promises.size());
        for (var promise : promises) {
            results.add(promise.get());
        }
        return results;
    }

    @Override
    public <P extends Promise<?>> P any(List<P> promises) {
        if (promises.isEmpty()) {
            throw new IllegalArgumentException("any waits for one of no promises; give it some");
        }
        await(new Wait(promises.stream().<LivePromise<?>>map(FunctionRun::live).toList(), false));
        return promises.stream()
                .filter(promise -> live(promise).isAnswered())
                .findFirst()
                .orElseThrow();
    }

    private static LivePromise<?> live(Promise<?> promise) {
        if (promise instanceof LivePromise<?> live) {
            return live;
        }
        throw new IllegalArgumentException(
                "a run waits for promises that it has returned itself, got " + promise.getClass());
    }

    @Override
    public <T> T record(String name, Class<T> type, Supplier<? extends T> effect) {
        var json = ValueType.of(type);
        return json.read(value("record", name, () -> json.write(effect.get())), name);
    }

    @Override
    public Instant now() {
        var text = value("now", "", () -> new JsonString(sources.clock().get().toString()));
        return Instant.parse(((JsonString) text).value());
    }

    @Override
    public double random() {
        var number = value("random", "", () -> JsonNumber.of(sources.random().nextDouble()));
        return ((JsonNumber) number).asDouble();
    }

    @Override
    public int version(String name, int oldest, int newest) {
        if (oldest > newest) {
            throw new IllegalArgumentException(
                    "version '" + name + "' is from " + oldest + " to " + newest);
        }
        meetCancel();
        var known = versions.get(name);
        var version = known != null ? known : decide(name, oldest, newest);
        versions.put(name, version);
        if (version < oldest || version > newest) {
            throw stop(
                    "the history has version "
                            + version
                            + " of '"
                            + name
                            + "', and the code knows "
                            + oldest
                            + " to "
                            + newest);
        }
        return version;
    }

    private int decide(String name, int oldest, int newest) {
        var history = expected;
        if (history == null) {
            asked.add(Item.value(Item.VERSION, name, JsonNumber.of(newest)));
            return newest;
        }
        if (taken < history.size()
                && history.get(taken).kind().equals(Item.VERSION)
                && history.get(taken).name().equals(name)) {
            var item = history.get(taken++);
            asked.add(item);
            return (int) ((JsonNumber) item.value().orElseThrow()).asLong();
        }
        return oldest;
    }

    @Override
    public RuntimeException continueAsNew(I input) {
        var json = (JsonObject) code.type().input().write(input);
        meetCancel();
        throw new ContinuesAsNew(json);
    }
}
