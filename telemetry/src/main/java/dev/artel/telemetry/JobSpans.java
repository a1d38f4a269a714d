package dev.artel.telemetry;

import dev.artel.kernel.attempt.Lease;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.branch.StepCause;
import dev.artel.kernel.child.ChildSpec;
import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.JobOutcome;
import dev.artel.kernel.job.JobSpec;
import dev.artel.kernel.job.Outcomes;
import dev.artel.kernel.job.Resolution;
import dev.artel.kernel.placement.Placement;
import dev.artel.kernel.task.TaskError;
import dev.artel.kernel.task.TaskSpec;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The spans of one job: a fold of its events, that gives each span as soon as the event is there that ends it.
///
/// What it gives follows from the events alone, so that a fold that is made anew after a restart goes on where the last one was. Not
/// safe for use by many threads.
final class JobSpans {
    private static final int MAIN = 0;
    private static final String OUTCOME = "artel.outcome";
    private static final String WITHDRAWN = "withdrawn";

    private final JobId job;
    private final double ratio;
    private final Resource resource;
    private final Function<JobId, Optional<SpanContext>> others;
    private final Map<Integer, Line> branches = new HashMap<>();
    private final Map<Integer, OpenTask> tasks = new HashMap<>();
    private final Map<Integer, OpenSpan> children = new HashMap<>();
    private final List<TaskGroup> taskGroups = new ArrayList<>();
    private final List<ChildGroup> childGroups = new ArrayList<>();
    private final Set<LeaseToken> lingering = new HashSet<>();
    private @Nullable JobTrace trace;
    private @Nullable OpenSpan root;
    private long version;
    private int branchCount;
    private int taskCount;
    private int childCount;
    private int compensating = MAIN;
    private int open;
    private boolean isOver;
    private Consumer<SpanData> out = _ -> {};

    /// A branch.
    private static final class Line {
        final @Nullable Line parent;
        final int number;
        @Nullable OpenSpan state;
        String name = "";

        /// Since when its handler runs, or waits to.
        @Nullable Instant runs;

        int run = 1;
        @Nullable SpanContext lastRun;

        Line(int number, @Nullable Line parent) {
            this.number = number;
            this.parent = parent;
        }
    }

    private static final class OpenTask {
        final int branch;
        final OpenSpan span;
        final Map<LeaseToken, OpenSpan> attempts = new HashMap<>(2);
        @Nullable Instant queued;
        @Nullable Instant hedged;
        @Nullable SpanContext last;

        OpenTask(int branch, OpenSpan span, Instant queued) {
            this.branch = branch;
            this.span = span;
            this.queued = queued;
        }
    }

    /// Tasks of which a number is open at once.
    private static final class TaskGroup {
        final int branch;
        final int first;
        final long event;
        final List<String> types;
        int next;

        TaskGroup(int branch, int first, long event, List<String> types) {
            this.branch = branch;
            this.first = first;
            this.event = event;
            this.types = types;
        }

        boolean has(int task) {
            return task >= first && task < first + types.size();
        }
    }

    private record ChildGroup(int branch, int first, int count, long event, ChildSpec spec) {}

    /// The spans of `job`, without any of its events.
    ///
    /// @param ratio see [JobTrace#of]
    /// @param others the context of the span of another job
    JobSpans(
            JobId job,
            double ratio,
            Resource resource,
            Function<JobId, Optional<SpanContext>> others) {
        this.job = job;
        this.ratio = ratio;
        this.resource = resource;
        this.others = others;
    }

    JobId job() {
        return job;
    }

    /// The number of the last event that was applied.
    long version() {
        return version;
    }

    /// How many spans are open.
    int open() {
        return open;
    }

    /// Whether nothing more comes of it: the job has ended, or is not traced.
    boolean isOver() {
        return isOver;
    }

    /// Whether the job is not traced.
    boolean isUntraced() {
        return trace != null && !trace.isSampled();
    }

    /// The numbers that come next, as the job itself has them.
    void next(int branch, int task, int child) {
        branchCount = branch;
        taskCount = task;
        childCount = child;
    }

    /// Takes the next event; spans that it ends go to `ended`.
    void apply(JobEvent event, Consumer<SpanData> ended) {
        version++;
        if (isOver) {
            return;
        }
        out = ended;
        if (event instanceof JobEvent.JobSubmitted submitted) {
            begin(submitted);
        } else if (trace == null || !trace.isSampled()) {
            isOver = true;
        } else {
            on(event);
        }
    }

    private void begin(JobEvent.JobSubmitted submitted) {
        var its = JobTrace.of(job, submitted.spec(), ratio);
        trace = its;
        if (!its.isSampled()) {
            isOver = true;
            return;
        }
        root = rootOf(its, submitted.spec(), submitted.at());
        open++;
        branches.put(MAIN, new Line(MAIN, null));
        branchCount = 1;
    }

    private OpenSpan rootOf(JobTrace its, JobSpec spec, Instant at) {
        var blueprint = spec.blueprint();
        var span =
                new OpenSpan(
                                its,
                                SpanNames.job(job),
                                its.parent(),
                                "job " + blueprint.name(),
                                SpanKind.SERVER,
                                at)
                        .with("artel.job.id", job.value())
                        .with("artel.blueprint.name", blueprint.name())
                        .with("artel.blueprint.version", blueprint.version())
                        .with("artel.client", spec.client());
        spec.parentLink().ifPresent(link -> span.with("artel.job.parent", link.parent().value()));
        return span;
    }

    private void on(JobEvent event) {
        switch (event) {
            case JobEvent.JobSubmitted _ -> {}
            case JobEvent.StateEntered e -> enter(e);
            case JobEvent.StepDone e -> ran(e.branch(), e.at(), Optional.empty(), Optional.empty());
            case JobEvent.StepFailed e ->
                    ran(e.branch(), e.at(), Optional.of(e.message()), e.retryAt());
            case JobEvent.StepRetried e -> line(e.branch()).runs = e.at();
            case JobEvent.TaskOpened e -> open(e);
            case JobEvent.TasksOpened e -> open(e);
            case JobEvent.AttemptEvent e -> onAttempt(e);
            case JobEvent.TasksAdmitted _ -> {}
            case JobEvent.BudgetWarned e ->
                    note("budget warned", e.at(), "artel.budget.limit", e.limit().name());
            case JobEvent.BudgetExhausted e ->
                    note("budget exhausted", e.at(), "artel.budget.limit", e.limit().name());
            case JobEvent.BudgetExtended e -> note("budget extended", e.at(), "artel.by", e.by());
            case JobEvent.TasksWithdrawn e -> withdrawTasks(e.branch(), e.at());
            case JobEvent.Forked e -> fork(e);
            case JobEvent.BranchEnded e -> {
                e.failure().ifPresent(why -> ofState(e.branch(), it -> it.failed(why)));
                leave(line(e.branch()), e.at());
            }
            case JobEvent.BranchesStopped e -> stopBranchesOf(line(e.branch()), e.at());
            case JobEvent.WaitBegun e ->
                    noteOfState(e.branch(), "wait", e.at(), "artel.until", e.until().toString());
            case JobEvent.SignalAwaited e ->
                    noteOfState(e.branch(), "signal awaited", e.at(), "artel.signal", e.signal());
            case JobEvent.SignalReceived e ->
                    note("signal received", e.at(), "artel.signal", e.signal());
            case JobEvent.ApprovalRequested e ->
                    noteOfState(e.branch(), "approval requested", e.at(), "artel.state", "");
            case JobEvent.ApprovalDecided e ->
                    noteOfState(e.branch(), "approval decided", e.at(), "artel.choice", e.choice());
            case JobEvent.ChildRequested e -> request(e);
            case JobEvent.ChildrenRequested e -> request(e);
            case JobEvent.ChildrenWithdrawn _ -> {}
            case JobEvent.ChildStarted e -> started(e);
            case JobEvent.ChildRefused e ->
                    ended(e.child(), "refused", Optional.of(e.reason()), e.at());
            case JobEvent.ChildEnded e ->
                    ended(
                            e.child(),
                            e.report().outcome(),
                            e.report().outcome().equals(Outcomes.FINISHED)
                                    ? Optional.empty()
                                    : e.report().reason().or(() -> Optional.of("not finished")),
                            e.at());
            case JobEvent.ChildStopped e -> ended(e.child(), WITHDRAWN, Optional.empty(), e.at());
            case JobEvent.ParentNotified _,
                    JobEvent.WebhookDelivered _,
                    JobEvent.WebhookGivenUp _,
                    JobEvent.CompensationRegistered _,
                    JobEvent.JobChanged _ -> {}
            case JobEvent.CompensationStarted e -> compensate(e.at());
            case JobEvent.CompensationCompleted e -> {
                e.failure().ifPresent(why -> ofState(compensating, it -> it.failed(why)));
                stop(line(compensating), e.at());
            }
            case JobEvent.CancelRequested e -> {
                note("cancel requested", e.at(), "artel.reason", e.reason());
                withdrawAllTasks(e.at());
            }
            case JobEvent.CancelHandled e -> stop(line(MAIN), e.at());
            case JobEvent.JobPaused e -> note("paused", e.at(), "artel.by", e.by());
            case JobEvent.JobResumed e -> note("resumed", e.at(), "artel.by", e.by());
            case JobEvent.JobQuarantined e ->
                    note("quarantined", e.at(), "artel.reason", e.reason());
            case JobEvent.QuarantineResolved e -> {
                note("quarantine resolved", e.at(), "artel.by", e.by());
                line(MAIN).runs = e.at();
            }
            case JobEvent.JobRewound e -> {
                note("rewound", e.at(), "artel.state", e.to());
                stop(line(MAIN), e.at());
            }
            case JobEvent.JobForked e -> forkedOff(e.from());
            case JobEvent.JobContinued e -> beginAnew(e);
            case JobEvent.DefinitionReplaced e ->
                    note("definition replaced", e.at(), "artel.blueprint.name", e.to().name());
            case JobEvent.TaskReused e -> {
                var task = task(e.task(), e.at());
                task.span.with("artel.task.reused", e.result().task());
                end(e.task(), e.result().status(), Optional.empty(), e.at());
            }
            case JobEvent.JobEnded e -> end(e);
        }
    }

    private void onAttempt(JobEvent.AttemptEvent event) {
        switch (event) {
            case JobEvent.LeaseGranted e -> grant(e.task(), e.lease(), e.placement(), e.at());
            case JobEvent.AttemptFailed e -> {
                failed(e.task(), e.token(), e.error(), e.at());
                linger(e.token(), e.lingers());
                task(e.task(), e.at()).queued = e.retryAt();
            }
            case JobEvent.HedgeBegun e -> task(e.task(), e.at()).hedged = e.at();
            case JobEvent.AttemptDropped e -> {
                over(e.task(), e.token(), "dropped", Optional.of(e.reason()), e.at());
                linger(e.token(), e.lingers());
                e.again().ifPresent(again -> task(e.task(), e.at()).hedged = again);
            }
            case JobEvent.LeaseLost e -> {
                over(e.task(), e.token(), "lost", Optional.of(e.reason().text()), e.at());
                task(e.task(), e.at()).queued = e.at();
            }
            case JobEvent.LeaseReturned e -> {
                noteOf(e.task(), e.token(), "returned", e.at(), e.reason().text());
                over(e.task(), e.token(), "returned", Optional.empty(), e.at());
                task(e.task(), e.at()).queued = e.retryAt();
            }
            case JobEvent.LeaseReleased e -> lingering.remove(e.token());
            case JobEvent.TaskSucceeded e -> {
                over(e.task(), e.token(), e.status(), Optional.empty(), e.at());
                end(e.task(), e.status(), Optional.empty(), e.at());
            }
            case JobEvent.TaskFailed e -> {
                var task = task(e.task(), e.at());
                for (var token : List.copyOf(task.attempts.keySet())) {
                    failed(e.task(), token, e.error(), e.at());
                    linger(token, e.lingers());
                }
                task.span.with("error.type", e.error().code());
                end(e.task(), "failed", Optional.of(e.error().message()), e.at());
            }
            case JobEvent.OutcomeUnknown e -> {
                over(e.task(), e.token(), "unknown", Optional.of(e.reason()), e.at());
                linger(e.token(), e.lingers());
                task(e.task(), e.at()).span.note("outcome unknown", e.at(), Attributes.empty());
            }
            case JobEvent.OutcomeResolved e -> {
                switch (e.resolution()) {
                    case Resolution.Happened(var status, var _) ->
                            end(e.task(), status, Optional.empty(), e.at());
                    case Resolution.DidNotHappen _ -> task(e.task(), e.at()).queued = e.at();
                    case Resolution.Failed(var reason) ->
                            end(e.task(), "failed", Optional.of(reason), e.at());
                }
            }
            case JobEvent.QuestionAsked e ->
                    noteOf(e.task(), e.token(), "question asked", e.at(), "");
            case JobEvent.QuestionAnswered e -> {
                var task = task(e.task(), e.at());
                task.span.note("question answered", e.at(), Attributes.empty());
                if (task.attempts.isEmpty()) {
                    task.queued = e.at();
                }
            }
            case JobEvent.AttemptWithheld e ->
                    task(e.task(), e.at())
                            .span
                            .note("withheld by the budget", e.at(), Attributes.empty());
            case JobEvent.AttemptSettled _ -> {}
        }
    }

    // Branches

    private Line line(int branch) {
        var known = branches.get(branch);
        if (known == null) {
            known = new Line(branch, null);
            branches.put(branch, known);
        }
        return known;
    }

    /// The span below which what a branch does belongs.
    private String above(@Nullable Line line) {
        for (var at = line; at != null; at = at.parent) {
            var state = at.state;
            if (state != null) {
                return state.id();
            }
        }
        return ofJob().id();
    }

    private void enter(JobEvent.StateEntered e) {
        var line = line(e.branch());
        branches.values().removeIf(other -> other.parent == line);
        leave(line, e.at());
        enter(line, e.state(), 0, e.at());
        ofState(e.branch(), it -> it.with("artel.state.cause", word(e.cause())));
    }

    private void enter(Line line, String state, int ordinal, Instant at) {
        line.name = state;
        line.state =
                begun(
                                SpanNames.state(job, version, ordinal),
                                above(line.parent),
                                "state " + state,
                                SpanKind.INTERNAL,
                                at)
                        .with("artel.state", state)
                        .with("artel.branch", line.number);
        line.runs = at;
        line.run = 1;
        line.lastRun = null;
    }

    private void leave(Line line, Instant at) {
        var state = line.state;
        if (state != null) {
            emit(state, at);
            line.state = null;
        }
        line.runs = null;
    }

    private void ran(int branch, Instant at, Optional<String> failure, Optional<Instant> again) {
        var line = line(branch);
        var runs = line.runs;
        var span =
                begun(
                                SpanNames.handler(job, version),
                                above(line),
                                "handler " + line.name,
                                SpanKind.INTERNAL,
                                runs == null || runs.isAfter(at) ? at : runs)
                        .with("artel.state", line.name)
                        .with("artel.attempt", line.run);
        failure.ifPresent(span::failed);
        var last = line.lastRun;
        if (last != null) {
            span.linkedTo(last, "retry of");
        }
        emit(span, at);
        line.runs = again.orElse(null);
        line.run++;
        line.lastRun = failure.isPresent() ? span.context() : null;
    }

    private void fork(JobEvent.Forked e) {
        var from = line(e.branch());
        for (var i = 0; i < e.starts().size(); i++) {
            var line = new Line(branchCount++, from);
            branches.put(line.number, line);
            enter(line, e.starts().get(i), i, e.at());
        }
    }

    private void compensate(Instant at) {
        for (var line : List.copyOf(branches.values())) {
            leave(line, at);
        }
        withdrawAllTasks(at);
        compensating = branchCount++;
        branches.put(compensating, new Line(compensating, null));
        note("compensation started", at, "artel.branch", String.valueOf(compensating));
    }

    private void stop(Line line, Instant at) {
        stopBranchesOf(line, at);
        withdrawTasks(line.number, at);
        leave(line, at);
    }

    private void stopBranchesOf(Line parent, Instant at) {
        for (var line : List.copyOf(branches.values())) {
            if (line.parent == parent) {
                stop(line, at);
                branches.remove(line.number);
            }
        }
    }

    /// Numbers begin anew where nothing is left of the run before.
    private void beginAnew(JobEvent.JobContinued e) {
        note("continued as new", e.at(), "artel.state", e.to());
        taskGroups.clear();
        childGroups.clear();
        if (tasks.isEmpty() && children.isEmpty() && lingering.isEmpty()) {
            var main = line(MAIN);
            branches.clear();
            branches.put(MAIN, main);
            branchCount = 1;
            taskCount = 0;
            childCount = 0;
        }
    }

    // Tasks

    private void open(JobEvent.TaskOpened e) {
        open(taskCount++, e.branch(), e.spec().type(), version, 0, e.at());
    }

    private void open(JobEvent.TasksOpened e) {
        var types = e.specs().stream().map(TaskSpec::type).toList();
        var group = new TaskGroup(e.branch(), taskCount, version, types);
        taskGroups.removeIf(other -> other.branch == e.branch());
        taskGroups.add(group);
        taskCount += types.size();
        for (var i = 0; i < Math.min(e.window(), types.size()); i++) {
            openNext(group, e.at());
        }
    }

    private void openNext(TaskGroup group, Instant at) {
        if (group.next < group.types.size()) {
            var i = group.next++;
            open(group.first + i, group.branch, group.types.get(i), group.event, i, at);
        }
    }

    private OpenTask open(
            int number, int branch, String type, long event, int ordinal, Instant at) {
        var span =
                begun(
                                SpanNames.task(job, event, ordinal),
                                above(branches.get(branch)),
                                "task " + type,
                                SpanKind.INTERNAL,
                                at)
                        .with("artel.task.number", number)
                        .with("artel.task.type", type);
        var task = new OpenTask(branch, span, at);
        tasks.put(number, task);
        return task;
    }

    /// The task; opened if it had not been.
    private OpenTask task(int number, Instant at) {
        var known = tasks.get(number);
        if (known != null) {
            return known;
        }
        for (var group : taskGroups) {
            if (group.has(number)) {
                var i = number - group.first;
                return open(number, group.branch, group.types.get(i), group.event, i, at);
            }
        }
        return open(number, MAIN, "unknown", version, number, at);
    }

    private void grant(int number, Lease lease, Placement placement, Instant at) {
        var task = task(number, at);
        var isHedge = task.hedged != null && !task.attempts.isEmpty();
        var since = isHedge ? task.hedged : task.queued;
        emit(
                begun(
                                SpanNames.queued(lease.token()),
                                task.span.id(),
                                "queued",
                                SpanKind.INTERNAL,
                                since == null || since.isAfter(at) ? at : since)
                        .with("artel.attempt", lease.attempt()),
                at);
        var attempt =
                begun(
                                SpanNames.attempt(lease.token()),
                                task.span.id(),
                                "attempt " + lease.attempt(),
                                SpanKind.PRODUCER,
                                at)
                        .with("artel.attempt", lease.attempt())
                        .with("artel.worker.id", lease.worker().value())
                        .with("artel.worker.wire", placement.wire());
        if (isHedge) {
            attempt.with("artel.attempt.hedge", "true");
        }
        var last = task.last;
        if (last != null) {
            attempt.linkedTo(last, "retry of");
        }
        task.last = attempt.context();
        task.attempts.put(lease.token(), attempt);
        if (isHedge) {
            task.hedged = null;
        } else {
            task.queued = null;
        }
    }

    private void failed(int number, LeaseToken token, TaskError error, Instant at) {
        var attempt = task(number, at).attempts.get(token);
        if (attempt != null) {
            attempt.with("error.type", error.code());
        }
        over(number, token, "failed", Optional.of(error.message()), at);
    }

    private void noteOf(int number, LeaseToken token, String what, Instant at, String reason) {
        var attempt = task(number, at).attempts.get(token);
        if (attempt != null) {
            attempt.note(
                    what,
                    at,
                    reason.isEmpty()
                            ? Attributes.empty()
                            : Attributes.builder().put("artel.reason", reason).build());
        }
    }

    /// An attempt is over.
    private void over(
            int number, LeaseToken token, String outcome, Optional<String> failure, Instant at) {
        var attempt = task(number, at).attempts.remove(token);
        if (attempt != null) {
            attempt.with(OUTCOME, outcome);
            failure.ifPresent(attempt::failed);
            emit(attempt, at);
        }
    }

    private void linger(LeaseToken token, boolean lingers) {
        if (lingers) {
            lingering.add(token);
        }
    }

    /// A task is over, and the next one of its group may begin.
    private void end(int number, String outcome, Optional<String> failure, Instant at) {
        var task = task(number, at);
        for (var token : List.copyOf(task.attempts.keySet())) {
            over(number, token, WITHDRAWN, Optional.empty(), at);
            linger(token, true);
        }
        tasks.remove(number);
        task.span.with(OUTCOME, outcome);
        failure.ifPresent(task.span::failed);
        emit(task.span, at);
        for (var group : taskGroups) {
            if (group.has(number)) {
                openNext(group, at);
                return;
            }
        }
    }

    private void withdraw(int number, Instant at) {
        var task = task(number, at);
        var wasPlanned = task.last == null && task.span.begin().equals(at);
        for (var token : List.copyOf(task.attempts.keySet())) {
            over(number, token, WITHDRAWN, Optional.empty(), at);
            linger(token, true);
        }
        tasks.remove(number);
        if (wasPlanned) {
            open--; // it would have been the next of its group, which is over
        } else {
            emit(task.span.with(OUTCOME, WITHDRAWN), at);
        }
    }

    private void withdrawTasks(int branch, Instant at) {
        taskGroups.removeIf(group -> group.branch == branch);
        for (var entry : List.copyOf(tasks.entrySet())) {
            if (entry.getValue().branch == branch) {
                withdraw(entry.getKey(), at);
            }
        }
    }

    private void withdrawAllTasks(Instant at) {
        taskGroups.clear();
        for (var number : List.copyOf(tasks.keySet())) {
            withdraw(number, at);
        }
    }

    // Other jobs

    private void request(JobEvent.ChildRequested e) {
        openChild(childCount++, e.branch(), e.spec(), new EffectId(version, 0), e.at());
    }

    private void request(JobEvent.ChildrenRequested e) {
        var count = e.initialData().size();
        childGroups.removeIf(other -> other.branch() == e.branch());
        childGroups.add(new ChildGroup(e.branch(), childCount, count, version, e.spec()));
        childCount += count;
    }

    private OpenSpan openChild(int number, int branch, ChildSpec spec, EffectId start, Instant at) {
        var child = JobId.ofChild(job, start);
        var span =
                begun(
                                SpanNames.child(job, start),
                                above(branches.get(branch)),
                                "child " + spec.blueprint(),
                                SpanKind.INTERNAL,
                                at)
                        .with("artel.child.number", number)
                        .with("artel.child.job_id", child.value());
        span.linkedTo(trace().context(SpanNames.job(child)), "child");
        children.put(number, span);
        return span;
    }

    private @Nullable OpenSpan child(int number, Instant at) {
        var known = children.get(number);
        if (known != null) {
            return known;
        }
        for (var group : childGroups) {
            var i = number - group.first();
            if (i >= 0 && i < group.count()) {
                return openChild(
                        number, group.branch(), group.spec(), new EffectId(group.event(), i), at);
            }
        }
        return null;
    }

    private void started(JobEvent.ChildStarted e) {
        var child = child(e.child(), e.at());
        if (child != null) {
            child.note("child started", e.at(), Attributes.empty());
        }
    }

    private void ended(int number, String outcome, Optional<String> failure, Instant at) {
        var child = child(number, at);
        if (child != null) {
            children.remove(number);
            failure.ifPresent(child::failed);
            emit(child.with(OUTCOME, outcome), at);
        }
    }

    private void forkedOff(JobId from) {
        others.apply(from).ifPresent(origin -> ofJob().linkedTo(origin, "forked off"));
        ofJob().with("artel.job.forked_off", from.value());
    }

    // The job

    private OpenSpan ofJob() {
        var known = root;
        if (known == null) {
            throw new IllegalStateException("job " + job + " has no first event");
        }
        return known;
    }

    private JobTrace trace() {
        var known = trace;
        if (known == null) {
            throw new IllegalStateException("job " + job + " has no first event");
        }
        return known;
    }

    private void end(JobEvent.JobEnded e) {
        var at = e.at();
        withdrawAllTasks(at);
        for (var number : List.copyOf(children.keySet())) {
            ended(number, WITHDRAWN, Optional.empty(), at);
        }
        for (var line : List.copyOf(branches.values())) {
            leave(line, at);
        }
        var span = ofJob();
        switch (e.outcome()) {
            case JobOutcome.Finished _ -> span.with(OUTCOME, "finished");
            case JobOutcome.Failed(var reason) -> span.with(OUTCOME, "failed").failed(reason);
            case JobOutcome.Cancelled(var reason) ->
                    span.with(OUTCOME, "cancelled").with("artel.reason", reason);
        }
        emit(span, at);
        isOver = true;
    }

    private OpenSpan begun(String id, String parent, String name, SpanKind kind, Instant at) {
        open++;
        return new OpenSpan(trace(), id, Optional.of(parent), name, kind, at);
    }

    private void emit(OpenSpan span, Instant at) {
        open--;
        out.accept(span.end(at, resource));
    }

    private void ofState(int branch, Consumer<OpenSpan> change) {
        var state = line(branch).state;
        if (state != null) {
            change.accept(state);
        }
    }

    private void note(String what, Instant at, String name, String value) {
        ofJob().note(what, at, attribute(name, value));
    }

    private void noteOfState(int branch, String what, Instant at, String name, String value) {
        ofState(branch, state -> state.note(what, at, attribute(name, value)));
    }

    private static Attributes attribute(String name, String value) {
        return value.isEmpty()
                ? Attributes.empty()
                : Attributes.builder().put(name, OpenSpan.shortened(value)).build();
    }

    private static String word(StepCause cause) {
        return switch (cause) {
            case StepCause.Started _ -> "started";
            case StepCause.Moved _ -> "moved";
            case StepCause.TaskEnded(var task, var outcome) -> "task " + task + " " + outcome;
            case StepCause.SignalTaken(var signal, var _) -> "signal " + signal;
            case StepCause.Decided(var choice, var _) -> "decided " + choice;
            case StepCause.Overdue _ -> "overdue";
            case StepCause.Resolved _ -> "resolved";
            case StepCause.Cancelled _ -> "cancelled";
            case StepCause.TasksJoined _ -> "tasks joined";
            case StepCause.ChildEnded(var child, var outcome) -> "child " + child + " " + outcome;
            case StepCause.ChildrenJoined _ -> "children joined";
            case StepCause.Compensation _ -> "compensation";
            case StepCause.BranchesJoined _ -> "branches joined";
        };
    }
}
