package dev.artel.blueprint.function;

import dev.artel.blueprint.RunCancelled;
import dev.artel.blueprint.RunFailed;
import dev.artel.json.JsonMemory;
import dev.artel.json.JsonNull;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.HistoryMismatch;
import dev.artel.kernel.blueprint.JobPast;
import dev.artel.kernel.blueprint.NotAhead;
import dev.artel.kernel.blueprint.Step;
import dev.artel.kernel.blueprint.StepHandler;
import dev.artel.kernel.branch.JoinPolicy;
import dev.artel.kernel.branch.StepCause;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.JobOutcome;
import dev.artel.kernel.job.Outcomes;
import dev.artel.kernel.task.JobData;
import dev.artel.kernel.task.Payload;
import dev.artel.kernel.task.TaskSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Runs the function of a blueprint for all of its jobs: in memory where it is there, from its history otherwise. What differs between the
/// two is time alone.
///
/// A function that is in memory is at the place of the last entry that it gave to its job. Whether that entry became durable, and
/// nothing else, is seen by its id in the data of the job; where it did not, the function is run again from the history. Safe for use
/// by many threads.
final class FunctionHost implements StepHandler {
    /// How many operations a message names.
    private static final int MOST_NAMED = 10;

    /// How many characters of a value a message has.
    private static final int MOST_SHOWN = 500;

    private static final String BRANCH_FAILED =
            "its branch could not go on; the history of the job has the reason";

    /// Of a branch that has heard of nothing that was done.
    private static final StepCause NOT_BEGUN = new StepCause.Started();

    private final String blueprint;
    private final FunctionCode<?, ?> code;
    private final FunctionRun.Sources sources;
    private final Supplier<String> ids;
    private final int room;
    private final Duration keep;
    private final ResidentMemory memory;

    /// Order: the one used last is the last.
    private final SequencedMap<JobId, Instance> resident = new LinkedHashMap<>(16, 0.75f, true);

    /// Of jobs that are being compensated; order: the one used last is the last.
    private final SequencedMap<JobId, Compensations> compensating =
            new LinkedHashMap<>(16, 0.75f, true);

    /// How the calls of a function are compensated up to entry `last`.
    private record Compensations(String last, Map<String, FunctionRun.Compensating> all) {}

    /// @param ids gives each entry an id that no other entry has
    /// @param room how many functions stay in memory between their steps
    /// @param keep for how long
    /// @param memory what their initial data may take, with those of other hosts
    FunctionHost(
            FunctionCode<?, ?> code,
            FunctionRun.Sources sources,
            Supplier<String> ids,
            int room,
            Duration keep,
            ResidentMemory memory) {
        this.memory = memory;
        this.blueprint = code.type().name();
        this.code = code;
        this.sources = sources;
        this.ids = ids;
        this.room = room;
        this.keep = keep;
    }

    /// A function at work.
    private final class Instance {
        final JobId job;

        /// About how many bytes its initial data take, as JSON and as what the function makes of them.
        final long weight;

        final FunctionThread thread;
        final FunctionRun<?> run;
        final BranchOperations branches = new BranchOperations();
        @Nullable JsonValue result;
        boolean hasReturned;
        @Nullable Throwable failure;

        Instance(JobId job, JsonObject initialData, JsonObject input) {
            this.job = job;
            weight = 2 * JsonMemory.bytes(initialData);
            thread =
                    new FunctionThread(
                            "artel-function-" + blueprint + "-" + job,
                            keep,
                            () -> call(input),
                            () -> forget(this));
            run = code.begin(job, initialData, sources, thread);
        }

        @SuppressWarnings("IllegalCatch") // an author's code: whatever it throws is its outcome
        private void call(JsonObject input) {
            try {
                result = run.call(input);
                hasReturned = true;
            } catch (Throwable thrown) {
                failure = thrown;
            }
        }

        void cancel(String reason) {
            run.cancel(reason);
            branches.stopAll(run.operations());
        }

        boolean isOver() {
            return hasReturned || failure != null;
        }

        JsonValue outcome() {
            return result == null ? JsonNull.NULL : result;
        }
    }

    // Handlers

    /// Goes on with the function after what its branch has waited for.
    @Override
    public Action handle(Step step) throws Exception {
        var instance = enter(step);
        var isKept = false;
        try {
            var action = drive(instance, step);
            isKept = instance.thread.isAlive() && !instance.isOver();
            return action;
        } finally {
            leave(instance, isKept);
        }
    }

    /// Begins the operation of a new branch.
    Action operate(Step step) throws Exception {
        var place =
                step.past()
                        .place()
                        .orElseThrow(() ->
                                new IllegalStateException(
                                        "branch "
                                                + step.branch()
                                                + " of job "
                                                + step.job()
                                                + " has no fork that waits for it"));
        var instance =
                enter(
                        step,
                        known ->
                                known.branches.knows(last(step))
                                        && begun(known, step, place).isPresent());
        try {
            return begun(instance, step, place)
                    .orElseThrow(() ->
                            new HistoryMismatch(
                                    "branch "
                                            + step.branch()
                                            + " of job "
                                            + step.job()
                                            + " is to do an operation that its function has not asked for;"
                                            + " release the job with the code with which it forked"));
        } finally {
            leave(instance, instance.thread.isAlive());
        }
    }

    /// The operation of a new branch; empty if the function has heard of its end, or its branch has gone on. So it is with a function in memory
    /// that came further than its history: the step that it has gone through was not committed, and runs again.
    private static Optional<Action> begun(Instance instance, Step step, JobPast.Place place) {
        return instance.branches
                .firstOf(step.branch(), place.parent(), place.index())
                .flatMap(number ->
                        instance.run
                                .operation(number)
                                .map(operation -> operation.action(number, FunctionBlueprint.RUN)));
    }

    private static JobPast.Compensating compensating(Step step) {
        return step.past()
                .compensating()
                .orElseThrow(() ->
                        new IllegalStateException(
                                "state "
                                        + step.state()
                                        + " of job "
                                        + step.job()
                                        + " compensates calls, and the job compensates none"));
    }

    /// Compensates a call with what its function makes of its result, and the calls of a map each with its own.
    Action compensate(Step step) throws Exception {
        var what = compensating(step);
        var number = what.subject().orElse("");
        var how = compensations(step).get(number);
        if (how == null) {
            throw new HistoryMismatch(
                    "operation "
                            + number
                            + " of job "
                            + step.job()
                            + " is to be compensated with its result, and the code of blueprint "
                            + blueprint
                            + " does not define how");
        }
        var work = work(how.operation(), what);
        return switch (how.by()) {
            case CallCompensation.ByTask(var task) -> Action.dispatch(task, Outcomes.NONE);
            case CallCompensation.ByResult(var task) -> {
                var result = work.result(step.past(), 0);
                yield result.isPresent()
                        ? Action.dispatch(task.apply(result.get()), Outcomes.NONE)
                        : Action.failBranch(
                                how.operation().text()
                                        + " may have been done, and has no result with which it could be compensated; compensate it by hand");
            }
            case CallCompensation.EachByResult(var tasks) -> {
                var specs = new ArrayList<TaskSpec>();
                for (var i = 0; i < work.count(); i++) {
                    work.result(step.past(), i).map(tasks.get(i)).ifPresent(specs::add);
                }
                yield CompensatedWork.begin(specs, FunctionBlueprint.COMPENSATED);
            }
        };
    }

    /// Ends a compensation that had several tasks.
    Action compensated(Step step) throws Exception {
        var what = compensating(step);
        var how = compensations(step).get(what.subject().orElse(""));
        return how == null ? Action.endBranch() : work(how.operation(), what).end(step);
    }

    private static CompensatedWork work(Operation operation, JobPast.Compensating what) {
        return operation instanceof Operation.Children(var _, var inputs, var _, var _, var _)
                ? new CompensatedWork(false, what.firstChild(), inputs.size())
                : new CompensatedWork(
                        true,
                        what.firstTask(),
                        operation instanceof Operation.Tasks tasks ? tasks.specs().size() : 1);
    }

    /// The compensations that the function of a job defines; kept until the last of them, so that it is run once for all of them.
    private Map<String, FunctionRun.Compensating> compensations(Step step) throws Exception {
        var last = last(step);
        Compensations known;
        synchronized (compensating) {
            known = compensating.get(step.job());
        }
        if (known == null || !known.last().equals(last)) {
            var instance = enter(step);
            try {
                known = new Compensations(last, instance.run.compensations());
            } finally {
                leave(instance, false);
            }
        }
        synchronized (compensating) {
            if (step.past().cause() instanceof StepCause.Compensation(var number) && number == 0) {
                compensating.remove(step.job());
            } else {
                compensating.put(step.job(), known);
            }
            while (compensating.size() > Math.max(1, room)) {
                compensating.pollFirstEntry();
            }
        }
        return known.all();
    }

    private static String last(Step step) {
        return step.data().object(Entry.NAME).flatMap(entry -> entry.string("id")).orElse("");
    }

    /// Ends all functions in memory whose job is at no step just now, as a lack of room would.
    void evictAll() {
        synchronized (resident) {
            List.copyOf(resident.values()).forEach(this::evict);
        }
    }

    /// How many functions are in memory.
    int residents() {
        synchronized (resident) {
            return resident.size();
        }
    }

    // Memory

    /// The function at the place that the data of the step record.
    private Instance enter(Step step) throws Exception {
        return enter(step, known -> known.branches.last().equals(last(step)));
    }

    /// @param fits whether the function in memory is at a place that will do; one that is not is left to other steps
    private Instance enter(Step step, Predicate<Instance> fits) throws Exception {
        Instance known;
        synchronized (resident) {
            known = resident.get(step.job());
        }
        if (known != null) {
            known.thread.enter();
            if (known.thread.isAlive() && fits.test(known)) {
                return known;
            }
            leave(known, false);
        }
        if (step.past().isAhead()) {
            throw new NotAhead("the history of job " + step.job() + ", to run its function again");
        }
        return replayed(step, last(step));
    }

    private void leave(Instance instance, boolean isKept) {
        if (!isKept) {
            instance.thread.evict();
            forget(instance);
        }
        instance.thread.leave();
        if (isKept) {
            keep(instance);
        }
    }

    private void keep(Instance instance) {
        synchronized (resident) {
            var other = resident.putIfAbsent(instance.job, instance);
            if (other != null && other != instance) {
                evict(instance);
                return;
            }
            memory.add(other == null ? instance.weight : 0);
            var all = List.copyOf(resident.values());
            for (var eldest : all) {
                if (resident.size() <= room && !memory.isExceeded()) {
                    return;
                }
                evict(eldest);
            }
        }
    }

    private void evict(Instance instance) {
        if (instance.thread.tryEnter()) {
            instance.thread.evict();
            instance.thread.leave();
            remove(instance);
        }
    }

    private void forget(Instance instance) {
        synchronized (resident) {
            remove(instance);
        }
    }

    private void remove(Instance instance) {
        if (resident.remove(instance.job, instance)) {
            memory.add(-instance.weight);
        }
    }

    // Replay

    /// How far the code has come along a recorded history.
    ///
    /// @param requests how many it made
    /// @param stands what it does then, for people
    record Position(int requests, String stands) {}

    /// Runs the code along `recorded` and no further.
    ///
    /// @throws HistoryMismatch if it asks for other things, or returns another result
    Position replay(RecordedJob recorded) throws InterruptedException {
        var instance = new Instance(recorded.job(), recorded.initialData(), recorded.input());
        instance.thread.enter();
        try {
            for (var entry : recorded.entries()) {
                replay(instance, entry, recorded);
            }
            var result = recorded.result();
            if (instance.hasReturned
                    && result.isPresent()
                    && !result.get().equals(instance.outcome())) {
                throw mismatch(
                        instance,
                        "the job finished with "
                                + shortened(result.get())
                                + ", and the code returns "
                                + shortened(instance.outcome()));
            }
            return new Position(instance.run.requests(), whatItDoes(instance));
        } finally {
            leave(instance, false);
        }
    }

    private static String shortened(JsonValue value) {
        var text = value.toString();
        return text.length() <= MOST_SHOWN ? text : text.substring(0, MOST_SHOWN) + "...";
    }

    /// The function at the place of entry `last`, entered.
    private Instance replayed(Step step, String last) throws InterruptedException {
        var entries = last.isEmpty() ? List.<Entry>of() : History.of(step.past()).upTo(last);
        var input = step.data().object(Entry.INPUT).orElse(step.initialData());
        var instance = new Instance(step.job(), step.initialData(), input);
        instance.thread.enter();
        var isReplayed = false;
        try {
            for (var entry : entries) {
                replay(instance, entry, step.past());
            }
            isReplayed = true;
            return instance;
        } finally {
            if (!isReplayed) {
                leave(instance, false);
            }
        }
    }

    private void replay(Instance instance, Entry entry, JobPast past) throws InterruptedException {
        entry.heard().forEach(instance.run::hear);
        entry.cancelled().ifPresent(instance::cancel);
        if (entry.ran()) {
            if (!instance.run.waitsFor().isOver()) {
                throw mismatch(
                        instance,
                        "the history goes on after the answers to "
                                + entry.heard().keySet()
                                + ", and the code waits for "
                                + texts(instance.run.waitsFor()));
            }
            instance.run.replaysFlush(entry.then() == Entry.Then.AGAIN);
            instance.run.runOn(entry.asked(), past);
            if (instance.run.mismatch().isPresent()) {
                throw mismatch(instance, instance.run.mismatch().get());
            }
            var missing = instance.run.missing(whatItDoes(instance));
            if (missing.isPresent()) {
                throw mismatch(instance, missing.get());
            }
            if (instance.isOver() && entry.then() != Entry.Then.OVER) {
                throw mismatch(
                        instance, "the history goes on, and the code " + whatItDoes(instance));
            }
            if (entry.then().isWork()
                    && instance.branches.waiting(instance.run.operations()).count() == 0) {
                // It asked for nothing new, and nothing of what it waits for was under way any
                // more.
                instance.run.unheard().ifPresent(instance.branches::doAgain);
            }
        } else if (entry.then().isWork()) {
            // The job was recovered before its function had heard of that, and it was done again.
            instance.run.unheard().ifPresent(instance.branches::doAgain);
        }
        instance.branches.follow(entry, instance.run.operations());
    }

    private static String whatItDoes(Instance instance) {
        if (instance.failure != null) {
            return "ended with " + instance.failure;
        }
        return instance.hasReturned ? "returned" : "waits for " + texts(instance.run.waitsFor());
    }

    private static String texts(FunctionRun.Wait wait) {
        return wait.promises().stream()
                .filter(promise -> !promise.isAnswered())
                .limit(MOST_NAMED)
                .map(promise -> promise.operation.text())
                .toList()
                .toString();
    }

    private HistoryMismatch mismatch(Instance instance, String found) {
        return new HistoryMismatch(
                "the function of blueprint "
                        + blueprint
                        + " does not fit the history of job "
                        + instance.job
                        + ": "
                        + found
                        + "; register code that asks for the same in the same order (Run.version lets both ways"
                        + " live side by side), and release the job");
    }

    // Going on

    private Action drive(Instance instance, Step step) throws Exception {
        var place = step.past().place();
        var parent = place.map(JobPast.Place::parent).orElse(0);
        var heard = heard(instance, step, place);
        heard.forEach(instance.run::hear);
        var cancelled =
                step.past().cause() instanceof StepCause.Cancelled(var reason)
                        ? Optional.of(reason)
                        : Optional.<String>empty();
        cancelled.ifPresent(instance::cancel);
        var draft =
                new Draft(
                        instance,
                        ids.get(),
                        instance.branches.last(),
                        step.branch(),
                        parent,
                        heard,
                        cancelled);
        if (step.branch() != 0 && instance.branches.isLast(parent)) {
            return draft.end();
        }
        if (!instance.run.waitsFor().isOver()) {
            return step.branch() != 0 ? draft.end() : draft.again(step);
        }
        instance.run.runOn(null, step.past());
        if (instance.run.mismatch().isPresent()) {
            throw mismatch(instance, instance.run.mismatch().get());
        }
        return instance.isOver() ? draft.over() : draft.goOn();
    }

    /// What the branch has waited for, by the number of the operation.
    private SequencedMap<Integer, OperationResult> heard(
            Instance instance, Step step, Optional<JobPast.Place> place) {
        var cause = step.past().cause();
        if (cause instanceof StepCause.Resolved) {
            // A step that a person has taken back hears what it heard.
            return History.of(step.past())
                    .after(instance.branches.last(), step.branch())
                    .map(Entry::heard)
                    .orElseGet(LinkedHashMap::new);
        }
        var heard = new LinkedHashMap<Integer, OperationResult>();
        if (cause instanceof StepCause.Cancelled) {
            return heard;
        }
        if (cause instanceof StepCause.BranchesJoined(int first, int count)) {
            hearBranches(instance, step.past(), step.branch(), first, count, heard);
        } else {
            var parent = place.map(JobPast.Place::parent).orElse(0);
            var index = place.map(JobPast.Place::index).orElse(0);
            instance.branches
                    .workOf(step.branch(), parent, index)
                    .ifPresent(
                            work -> hear(instance, step.past(), step.branch(), cause, work, heard));
        }
        return heard;
    }

    /// A branch whose handler failed for good has heard nothing of what was done: its `parent`, which waited for it, hears it now.
    private static void hearBranches(
            Instance instance,
            JobPast past,
            int parent,
            int first,
            int count,
            SequencedMap<Integer, OperationResult> heard) {
        for (var i = 0; i < count; i++) {
            var branch = first + i;
            var work = instance.branches.workOf(branch, parent, i);
            var isLeft = work.filter(it -> instance.run.isOutstanding(it.first())).isPresent();
            if (!isLeft && instance.branches.forkedBy(branch).isEmpty()) {
                continue;
            }
            var cause = past.causeOf(branch).orElse(NOT_BEGUN);
            if (cause instanceof StepCause.BranchesJoined(int next, int more)) {
                hearBranches(instance, past, branch, next, more, heard);
            } else {
                work.ifPresent(it -> hear(instance, past, branch, cause, it, heard));
            }
        }
    }

    private static void hear(
            Instance instance,
            JobPast past,
            int branch,
            StepCause cause,
            BranchOperations.Work work,
            SequencedMap<Integer, OperationResult> heard) {
        for (var i = 0; i < work.count(); i++) {
            if (instance.run.isOutstanding(work.first() + i)) {
                heard.put(work.first() + i, answer(cause, past, branch, work, i));
            }
        }
    }

    private static OperationResult answer(
            StepCause cause, JobPast past, int branch, BranchOperations.Work work, int index) {
        return switch (cause) {
            case StepCause.TasksJoined(int first, int count) ->
                    work.count() == 1
                            ? new OperationResult.Tasks(first, count)
                            : new OperationResult.Tasks(first + index, 1);
            case StepCause.ChildrenJoined(int first, int count) ->
                    new OperationResult.Children(first, count);
            case StepCause.ChildEnded(int _, var outcome) ->
                    outcome.equals(Outcomes.STARTED)
                            ? new OperationResult.Done()
                            : new OperationResult.Failed("it could not be started: " + outcome);
            case StepCause.SignalTaken(var signal, var _) ->
                    new OperationResult.Value(
                            past.dataFor(branch, cause).get(signal).orElse(JsonNull.NULL));
            case StepCause.Decided(var choice, var by) ->
                    new OperationResult.Value(
                            decided(choice, by, past.dataFor(branch, cause).object("approval")));
            case StepCause.Overdue _ -> new OperationResult.Overdue();
            case StepCause.Moved _ -> new OperationResult.Done();
            case StepCause.Started _,
                    StepCause.TaskEnded _,
                    StepCause.Resolved _,
                    StepCause.Cancelled _,
                    StepCause.Compensation _,
                    StepCause.BranchesJoined _ ->
                    new OperationResult.Failed(BRANCH_FAILED);
        };
    }

    /// Time and comment are those of the last decision of the job, which may be one in another branch.
    private static JsonObject decided(String choice, String by, Optional<JsonObject> last) {
        var decided = JsonObject.builder().put("decision", choice).put("by", by);
        last.filter(it -> it.string("decision").filter(choice::equals).isPresent())
                .filter(it -> it.string("by").filter(by::equals).isPresent())
                .ifPresent(it -> {
                    it.string("at").ifPresent(at -> decided.put("at", at));
                    it.string("comment").ifPresent(comment -> decided.put("comment", comment));
                });
        return decided.build();
    }

    /// A step that is being decided.
    private record Draft(
            Instance instance,
            String id,
            String before,
            int branch,
            int parent,
            SequencedMap<Integer, OperationResult> heard,
            Optional<String> cancelled) {
        Action end() {
            return keep(Action.endBranch(), false, Entry.Then.END);
        }

        /// A person has let the job go on although nothing has come: what it waits for is done again.
        Action again(Step step) {
            var work =
                    instance.run
                            .unheard()
                            .orElseThrow(() ->
                                    new IllegalStateException(
                                            "job "
                                                    + step.job()
                                                    + " waits for "
                                                    + texts(instance.run.waitsFor())
                                                    + "; no branch does that; rewind it to state "
                                                    + FunctionBlueprint.RUN));
            instance.branches.doAgain(work);
            return perform(work, false);
        }

        Action goOn() {
            var work = instance.branches.waiting(instance.run.operations());
            if (instance.run.waitsFor().isOver()) {
                return keep(Action.transitionTo(FunctionBlueprint.RUN), true, Entry.Then.AGAIN);
            }
            if (work.count() > 0) {
                return perform(work, true);
            }
            if (branch != 0) {
                return keep(Action.endBranch(), true, Entry.Then.END);
            }
            // No other branch is left, and a person has taken the job back since one began that.
            var lost =
                    instance.run
                            .unheard()
                            .orElseThrow(() ->
                                    new IllegalStateException(
                                            "job "
                                                    + instance.job
                                                    + " waits for "
                                                    + texts(instance.run.waitsFor())
                                                    + ", and nothing of it is under way"));
            instance.branches.doAgain(lost);
            return perform(lost, true);
        }

        private Action perform(BranchOperations.Work work, boolean ran) {
            var operations = new ArrayList<Operation>();
            for (var i = work.first(); i < work.first() + work.count(); i++) {
                operations.add(instance.run.operation(i).orElseThrow());
            }
            if (operations.size() == 1) {
                return keep(
                        operations.getFirst().action(work.first(), FunctionBlueprint.RUN),
                        ran,
                        Entry.Then.DIRECT);
            }
            var tasks = together(operations, work);
            if (tasks.isPresent()) {
                return keep(
                        tasks.get().action(work.first(), FunctionBlueprint.RUN),
                        ran,
                        Entry.Then.TOGETHER);
            }
            var starts = Collections.nCopies(operations.size(), FunctionBlueprint.OPERATION);
            return keep(
                    Action.fork(starts, FunctionBlueprint.RUN).withPolicy(JoinPolicy.SETTLED),
                    ran,
                    Entry.Then.FORK);
        }

        /// Tasks of which all are awaited need no branches.
        private Optional<Operation.Tasks> together(
                List<Operation> operations, BranchOperations.Work work) {
            var wait = instance.run.waitsFor();
            var awaited = wait.promises().stream().map(promise -> promise.number).toList();
            var tasks = new ArrayList<Operation.Tasks>();
            for (var i = 0; i < operations.size(); i++) {
                if (!wait.isAll()
                        || !awaited.contains(work.first() + i)
                        || !(operations.get(i) instanceof Operation.Tasks task)
                        || !task.isOne()
                        || task.compensation().isPresent()) {
                    return Optional.empty();
                }
                tasks.add(task);
            }
            return Optional.of(Operation.Tasks.together(tasks));
        }

        Action over() throws Exception {
            return switch (instance.failure) {
                case null -> finish(new JobOutcome.Finished(Payload.of(instance.outcome())));
                case RunFailed failed -> finish(new JobOutcome.Failed(text(failed)));
                case RunCancelled stopped -> finish(new JobOutcome.Cancelled(text(stopped)));
                case ContinuesAsNew next -> continueAsNew(next);
                case Exception failed -> throw failed;
                case Error error -> throw error;
                case Throwable other ->
                        throw new IllegalStateException("the function failed: " + other, other);
            };
        }

        private static String text(RuntimeException failure) {
            return String.valueOf(failure.getMessage());
        }

        private Action finish(JobOutcome outcome) {
            return keep(new Action.Finish(outcome, JobData.EMPTY), true, Entry.Then.OVER);
        }

        private Action continueAsNew(ContinuesAsNew next) {
            var open = instance.run.outstanding();
            if (branch != 0 || open > 0) {
                return finish(
                        new JobOutcome.Failed(
                                "the function continues as new while "
                                        + (open == 1
                                                ? "1 operation is under way; await it before"
                                                : open
                                                        + " operations are under way; await them"
                                                        + " before")));
            }
            return Action.continueAsNew(
                    FunctionBlueprint.RUN, JsonObject.of(Entry.INPUT, next.input));
        }

        private Action keep(Action action, boolean ran, Entry.Then then) {
            var entry =
                    new Entry(
                            id,
                            before,
                            branch,
                            parent,
                            heard,
                            cancelled,
                            ran,
                            ran ? List.copyOf(instance.run.asked()) : List.of(),
                            then);
            instance.branches.follow(entry, instance.run.operations());
            return action.with(JsonObject.of(Entry.NAME, entry.json()));
        }
    }
}
