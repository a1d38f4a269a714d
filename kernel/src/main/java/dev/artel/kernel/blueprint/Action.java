package dev.artel.kernel.blueprint;

import dev.artel.json.JsonObject;
import dev.artel.kernel.approval.Approvers;
import dev.artel.kernel.branch.JoinPolicy;
import dev.artel.kernel.branch.Signals;
import dev.artel.kernel.budget.Budget;
import dev.artel.kernel.child.ChildMode;
import dev.artel.kernel.compensation.Compensation;
import dev.artel.kernel.job.JobOptions;
import dev.artel.kernel.job.JobOutcome;
import dev.artel.kernel.job.Outcomes;
import dev.artel.kernel.task.JobData;
import dev.artel.kernel.task.Payload;
import dev.artel.kernel.task.TaskSpec;
import dev.artel.kernel.task.TimeLimits;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.function.UnaryOperator;

/// What a handler wants to happen next: exactly one thing, with the changes of the job's data that go with it.
public sealed interface Action {
    /// The changes of the job's data.
    JobData changes();

    /// This action with more changes of the job's data.
    Action with(JobData more);

    /// This action, which also sets the members of `more` in the job's data.
    default Action with(JsonObject more) {
        return with(JobData.of(more));
    }

    /// This action, of tasks or of a child; if the job fails or is cancelled after it, `task` compensates what it did.
    ///
    /// @throws IllegalArgumentException if it is neither
    default Action compensatedBy(TaskSpec task) {
        return new Compensable(this, new Compensation.ByTask(task));
    }

    /// This action, of tasks or of a child; if the job fails or is cancelled after it, `state` compensates what it did. That state,
    /// or one to which it leads, ends its branch.
    ///
    /// @throws IllegalArgumentException if it is neither
    default Action compensatedBy(String state) {
        return new Compensable(this, new Compensation.ByState(state, Optional.empty()));
    }

    /// As [#compensatedBy(String)], for a state that compensates several things: `subject` names this one, and the handler of the state
    /// reads it by [JobPast#compensating].
    ///
    /// @throws IllegalArgumentException if it is neither
    default Action compensatedBy(String state, String subject) {
        return new Compensable(this, new Compensation.ByState(state, Optional.of(subject)));
    }

    /// Go to `state`.
    static Action transitionTo(String state) {
        return new TransitionTo(state, JobData.EMPTY);
    }

    /// Go to `state` with `data` and nothing else of what the job has gathered: a new run of the same job, whose guards count anew.
    /// Only the main line of a job can; what earlier runs did is not compensated any more, and cannot be gone back to.
    static Action continueAsNew(String state, JsonObject data) {
        return new ContinueAsNew(state, JobData.of(data));
    }

    /// Go on with another definition from its first state: the same job, with its data, its budget and its deadline. Only the main line of a job can, and only while
    /// nothing is to be compensated by a state of the definition that it leaves. States of that definition cannot be gone back to.
    ///
    /// @param text the definition as it is written, for example a process card; the engine compiles it, and what is wrong with it is a failure of the step
    static Action replaceDefinition(String text) {
        return new ReplaceDefinition(new Replacement.Written(text), JobData.EMPTY);
    }

    /// As [#replaceDefinition(String)], for a definition that is registered.
    static Action replaceDefinition(Blueprint blueprint) {
        return new ReplaceDefinition(Replacement.Known.of(blueprint), JobData.EMPTY);
    }

    /// Have `task` done and wait for it.
    static Action dispatch(TaskSpec task, Outcomes on) {
        return new DispatchTask(task, on, JobData.EMPTY);
    }

    /// Have `tasks` done, all of which must succeed, and go to `join`.
    static DispatchParallel dispatchParallel(List<TaskSpec> tasks, String join) {
        return new DispatchParallel(
                tasks,
                DispatchParallel.DEFAULT_WINDOW,
                JoinPolicy.ALL,
                join,
                Optional.empty(),
                JobData.EMPTY);
    }

    /// Start a branch for each of `starts`, all of which must succeed, and go to `join`.
    static Fork fork(List<String> starts, String join) {
        return new Fork(
                starts.stream().map(BranchSpec::new).toList(),
                JoinPolicy.ALL,
                join,
                Optional.empty(),
                JobData.EMPTY);
    }

    /// End this branch, well.
    static Action endBranch() {
        return new EndBranch(Optional.empty(), JobData.EMPTY);
    }

    /// End this branch, badly.
    static Action failBranch(String reason) {
        return new EndBranch(Optional.of(reason), JobData.EMPTY);
    }

    /// Run a job of another blueprint and wait for its end; `on` must name what follows [Outcomes#FINISHED].
    static RunBlueprint runBlueprint(String blueprint, JsonObject initialData, Outcomes on) {
        return RunBlueprint.of(blueprint, initialData, on, ChildMode.AWAITED);
    }

    /// Start a job of another blueprint, which then lives by itself, and go to `next` once it has begun.
    static RunBlueprint startBlueprint(String blueprint, JsonObject initialData, String next) {
        return RunBlueprint.of(
                blueprint, initialData, Outcomes.on(Outcomes.STARTED, next), ChildMode.DETACHED);
    }

    /// Run a job of `blueprint` for each of `initialData`, all of which must finish, and go to `join`, which finds their results in
    /// [Step#children].
    static RunBlueprints runBlueprints(
            String blueprint, List<JsonObject> initialData, String join) {
        return new RunBlueprints(
                runBlueprint(blueprint, JsonObject.EMPTY, Outcomes.on(Outcomes.FINISHED, join)),
                initialData.stream().map(JobData::of).toList(),
                RunBlueprints.DEFAULT_WINDOW,
                JoinPolicy.ALL,
                join,
                Optional.empty(),
                JobData.EMPTY);
    }

    /// Wait for `duration`, then go to `next`.
    static Action waitFor(Duration duration, String next) {
        return new Wait(duration, next, JobData.EMPTY);
    }

    /// Wait until `instant`, then go to `next`; at once if it has passed.
    static Action waitUntil(Instant instant, String next) {
        return new WaitUntil(instant, next, JobData.EMPTY);
    }

    /// Wait for a signal, then go to `next`. Its payload becomes the value `signal` of the job's data.
    ///
    /// @param signal 1 to 100 letters, digits, '-', '_' or '.'
    static AwaitSignal awaitSignal(String signal, String next) {
        return new AwaitSignal(signal, next, Optional.empty(), JobData.EMPTY);
    }

    /// Wait for a person, who picks one of `choices`. Who picked which becomes the value `approval` of the job's data.
    ///
    /// @param message what is to be decided
    /// @param choices the state that follows each choice
    static AwaitApproval awaitApproval(String message, Outcomes choices) {
        return new AwaitApproval(
                message,
                Approvers.ANYBODY,
                choices,
                Optional.empty(),
                Optional.empty(),
                JobData.EMPTY);
    }

    /// End the job, well, with `result`.
    static Action finish(JsonObject result) {
        return new Finish(new JobOutcome.Finished(Payload.of(result)), JobData.EMPTY);
    }

    /// End the job, badly.
    static Action fail(String reason) {
        return new Finish(new JobOutcome.Failed(reason), JobData.EMPTY);
    }

    /// See [Action#transitionTo].
    record TransitionTo(String state, JobData changes) implements Action {
        @Override
        public TransitionTo with(JobData more) {
            return new TransitionTo(state, changes.merge(more));
        }
    }

    /// See [Action#replaceDefinition(String)].
    record ReplaceDefinition(Replacement by, JobData changes) implements Action {
        @Override
        public ReplaceDefinition with(JobData more) {
            return new ReplaceDefinition(by, changes.merge(more));
        }
    }

    /// See [Action#dispatch].
    record DispatchTask(TaskSpec task, Outcomes on, JobData changes) implements Action {
        @Override
        public DispatchTask with(JobData more) {
            return new DispatchTask(task, on, changes.merge(more));
        }
    }

    /// See [Action#dispatchParallel].
    ///
    /// @param window how many tasks are open at once; at least 1
    /// @param otherwise the state that follows when `policy` cannot be met
    record DispatchParallel(
            List<TaskSpec> tasks,
            int window,
            JoinPolicy policy,
            String join,
            Optional<String> otherwise,
            JobData changes)
            implements Action {
        /// How many tasks of one fan-out are open at once, unless set otherwise.
        public static final int DEFAULT_WINDOW = 500;

        /// The most tasks of one fan-out.
        public static final int MAX_TASKS = 100_000;

        /// Refuses a window that lets nothing through, and more tasks than a job can carry.
        public DispatchParallel {
            if (window < 1) {
                throw new IllegalArgumentException("window must be at least 1, was " + window);
            }
            if (tasks.size() > MAX_TASKS) {
                throw new IllegalArgumentException(
                        "a fan-out takes at most " + MAX_TASKS + " tasks, got " + tasks.size());
            }
            tasks = List.copyOf(tasks);
        }

        @Override
        public DispatchParallel with(JobData more) {
            return new DispatchParallel(
                    tasks, window, policy, join, otherwise, changes.merge(more));
        }

        /// With at most `limit` tasks open at once.
        public DispatchParallel withWindow(int limit) {
            return new DispatchParallel(tasks, limit, policy, join, otherwise, changes);
        }

        /// With another policy.
        public DispatchParallel withPolicy(JoinPolicy other) {
            return new DispatchParallel(tasks, window, other, join, otherwise, changes);
        }

        /// With a state that follows when the policy cannot be met.
        public DispatchParallel otherwise(String state) {
            return new DispatchParallel(tasks, window, policy, join, Optional.of(state), changes);
        }
    }

    /// See [Action#fork].
    ///
    /// @param otherwise the state that follows when `policy` cannot be met
    record Fork(
            List<BranchSpec> branchSpecs,
            JoinPolicy policy,
            String join,
            Optional<String> otherwise,
            JobData changes)
            implements Action {
        /// Refuses a fork without branches.
        public Fork {
            if (branchSpecs.isEmpty()) {
                throw new IllegalArgumentException("a fork needs at least one branch");
            }
            branchSpecs = List.copyOf(branchSpecs);
        }

        @Override
        public Fork with(JobData more) {
            return new Fork(branchSpecs, policy, join, otherwise, changes.merge(more));
        }

        /// With another policy.
        public Fork withPolicy(JoinPolicy other) {
            return new Fork(branchSpecs, other, join, otherwise, changes);
        }

        /// With a state that follows when the policy cannot be met.
        public Fork otherwise(String state) {
            return new Fork(branchSpecs, policy, join, Optional.of(state), changes);
        }
    }

    /// See [Action#runBlueprint] and [Action#startBlueprint].
    ///
    /// @param version of the blueprint; empty: the newest
    /// @param within how long the child may take; it never gets more than its parent has, if that waits for it
    /// @param steps how many steps of the tree it gets; empty: a fair share of what is left
    /// @param as the name of its result in the data of the job
    record RunBlueprint(
            String blueprint,
            Optional<String> version,
            JobData initialData,
            SequencedMap<String, String> labels,
            Optional<Duration> within,
            Optional<Integer> steps,
            String as,
            ChildMode mode,
            Outcomes on,
            Optional<Budget> budget,
            JobData changes)
            implements Action {
        /// Refuses what has no meaning.
        public RunBlueprint {
            within.filter(it -> !it.isPositive() || it.compareTo(TimeLimits.LONGEST) > 0)
                    .ifPresent(it -> {
                        throw new IllegalArgumentException(
                                "the time of a child must be positive and at most 36500 days, was "
                                        + it);
                    });
            steps.filter(it -> it < 1)
                    .ifPresent(it -> {
                        throw new IllegalArgumentException(
                                "the steps of a child must be at least 1, was " + it);
                    });
            if (labels.size() > JobOptions.MOST_LABELS) {
                throw new IllegalArgumentException(
                        "a child takes at most "
                                + JobOptions.MOST_LABELS
                                + " labels, got "
                                + labels.size());
            }
            labels = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(labels));
        }

        private static RunBlueprint of(
                String blueprint, JsonObject initialData, Outcomes on, ChildMode mode) {
            if (mode.isAwaited() && on.after(Outcomes.FINISHED).isEmpty()) {
                throw new IllegalArgumentException(
                        "a child of blueprint '"
                                + blueprint
                                + "' leads nowhere when it has finished; name a state for '"
                                + Outcomes.FINISHED
                                + "', found "
                                + on.states().keySet());
            }
            return new RunBlueprint(
                    blueprint,
                    Optional.empty(),
                    JobData.of(initialData),
                    new LinkedHashMap<>(),
                    Optional.empty(),
                    Optional.empty(),
                    blueprint,
                    mode,
                    on,
                    Optional.empty(),
                    JobData.EMPTY);
        }

        @Override
        public RunBlueprint with(JobData more) {
            return new RunBlueprint(
                    blueprint,
                    version,
                    initialData,
                    labels,
                    within,
                    steps,
                    as,
                    mode,
                    on,
                    budget,
                    changes.merge(more));
        }

        /// Of this version of the blueprint.
        public RunBlueprint withVersion(String wanted) {
            return new RunBlueprint(
                    blueprint,
                    Optional.of(wanted),
                    initialData,
                    labels,
                    within,
                    steps,
                    as,
                    mode,
                    on,
                    budget,
                    changes);
        }

        /// With a label for the child.
        public RunBlueprint withLabel(String name, String value) {
            var more = new LinkedHashMap<>(labels);
            more.put(name, value);
            return new RunBlueprint(
                    blueprint,
                    version,
                    initialData,
                    more,
                    within,
                    steps,
                    as,
                    mode,
                    on,
                    budget,
                    changes);
        }

        /// The child fails when it has not ended after this time.
        public RunBlueprint within(Duration time) {
            return new RunBlueprint(
                    blueprint,
                    version,
                    initialData,
                    labels,
                    Optional.of(time),
                    steps,
                    as,
                    mode,
                    on,
                    budget,
                    changes);
        }

        /// The child and its descendants may enter so many states together.
        public RunBlueprint withSteps(int most) {
            return new RunBlueprint(
                    blueprint,
                    version,
                    initialData,
                    labels,
                    within,
                    Optional.of(most),
                    as,
                    mode,
                    on,
                    budget,
                    changes);
        }

        /// The child and its descendants may spend so much. If the job has a budget itself and waits for the child, that is taken
        /// from it, and the child does not begin if it does not fit; what is not limited here is limited to a share of what is
        /// left. Without this the child gets such a share of all that is left.
        public RunBlueprint withBudget(Budget most) {
            return new RunBlueprint(
                    blueprint,
                    version,
                    initialData,
                    labels,
                    within,
                    steps,
                    as,
                    mode,
                    on,
                    Optional.of(most),
                    changes);
        }

        /// The result of the child becomes the member `name` of the job's data.
        public RunBlueprint as(String name) {
            return new RunBlueprint(
                    blueprint,
                    version,
                    initialData,
                    labels,
                    within,
                    steps,
                    name,
                    mode,
                    on,
                    budget,
                    changes);
        }

        /// A child that is quarantined counts as failed; by default its parent waits until an operator has recovered it.
        ///
        /// @throws IllegalStateException if it lives by itself
        public RunBlueprint failingWhenQuarantined() {
            if (!mode.isAwaited()) {
                throw new IllegalStateException(
                        "a job of blueprint '"
                                + blueprint
                                + "' is started by itself and was to count as failed when it is quarantined; no job"
                                + " waits for it, so leave that out, or run it as a child");
            }
            return new RunBlueprint(
                    blueprint,
                    version,
                    initialData,
                    labels,
                    within,
                    steps,
                    as,
                    ChildMode.AWAITED_UNLESS_QUARANTINED,
                    on,
                    budget,
                    changes);
        }

        /// With a state that follows when the child cannot begin, fails or is cancelled.
        public RunBlueprint otherwise(String state) {
            return new RunBlueprint(
                    blueprint,
                    version,
                    initialData,
                    labels,
                    within,
                    steps,
                    as,
                    mode,
                    on.and(Outcomes.FAILED, state),
                    budget,
                    changes);
        }
    }

    /// See [Action#runBlueprints].
    ///
    /// @param each what all of them have in common
    /// @param initialData what each begins with; as many as there are children
    /// @param window how many of them live at once; at least 1
    /// @param otherwise the state that follows when `policy` cannot be met
    record RunBlueprints(
            RunBlueprint each,
            List<JobData> initialData,
            int window,
            JoinPolicy policy,
            String join,
            Optional<String> otherwise,
            JobData changes)
            implements Action {
        /// How many children live at once, unless set otherwise.
        public static final int DEFAULT_WINDOW = 100;

        /// The most children that one action runs.
        public static final int MAX_CHILDREN = 10_000;

        /// Refuses a window that lets nothing through, more children than a job can carry, and children that are not waited for.
        public RunBlueprints {
            if (window < 1) {
                throw new IllegalArgumentException("window must be at least 1, was " + window);
            }
            if (initialData.size() > MAX_CHILDREN) {
                throw new IllegalArgumentException(
                        "runBlueprints takes at most "
                                + MAX_CHILDREN
                                + " children, got "
                                + initialData.size()
                                + "; give each child several of them, or run one part after the"
                                + " other");
            }
            if (!each.mode().isAwaited()) {
                throw new IllegalArgumentException(
                        "runBlueprints waits for its children; start those that live by themselves"
                                + " with startBlueprint");
            }
            initialData = List.copyOf(initialData);
        }

        @Override
        public RunBlueprints with(JobData more) {
            return new RunBlueprints(
                    each, initialData, window, policy, join, otherwise, changes.merge(more));
        }

        /// With at most `limit` children alive at once.
        public RunBlueprints withWindow(int limit) {
            return new RunBlueprints(each, initialData, limit, policy, join, otherwise, changes);
        }

        /// With another policy. A child that fails, is cancelled or cannot begin counts as failed.
        public RunBlueprints withPolicy(JoinPolicy other) {
            return new RunBlueprints(each, initialData, window, other, join, otherwise, changes);
        }

        /// With a state that follows when the policy cannot be met.
        public RunBlueprints otherwise(String state) {
            return new RunBlueprints(
                    each, initialData, window, policy, join, Optional.of(state), changes);
        }

        /// With what `change` makes of all children: their version, labels, time, steps, and what counts as failed.
        public RunBlueprints each(UnaryOperator<RunBlueprint> change) {
            return new RunBlueprints(
                    change.apply(each), initialData, window, policy, join, otherwise, changes);
        }
    }

    /// Something that is waited for and can be compensated; see [Action#compensatedBy(TaskSpec)].
    ///
    /// @param action [DispatchTask], [DispatchParallel], [RunBlueprint] or [RunBlueprints]
    record Compensable(Action action, Compensation by) implements Action {
        /// Refuses what leaves nothing behind that could be compensated.
        public Compensable {
            if (!(action instanceof DispatchTask
                    || action instanceof DispatchParallel
                    || action instanceof RunBlueprint
                    || action instanceof RunBlueprints)) {
                throw new IllegalArgumentException(
                        "only tasks and children can be compensated, not "
                                + action.getClass().getSimpleName());
            }
        }

        @Override
        public JobData changes() {
            return action.changes();
        }

        @Override
        public Compensable with(JobData more) {
            return new Compensable(action.with(more), by);
        }
    }

    /// See [Action#endBranch] and [Action#failBranch].
    record EndBranch(Optional<String> failure, JobData changes) implements Action {
        @Override
        public EndBranch with(JobData more) {
            return new EndBranch(failure, changes.merge(more));
        }
    }

    /// See [Action#waitFor].
    record Wait(Duration duration, String next, JobData changes) implements Action {
        /// Refuses a wait that goes back in time, and one beyond the calendar.
        public Wait {
            if (duration.isNegative() || duration.compareTo(TimeLimits.LONGEST) > 0) {
                throw new IllegalArgumentException(
                        "a wait must not be negative and at most 36500 days, was " + duration);
            }
        }

        @Override
        public Wait with(JobData more) {
            return new Wait(duration, next, changes.merge(more));
        }
    }

    /// See [Action#waitUntil].
    record WaitUntil(Instant instant, String next, JobData changes) implements Action {
        private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59Z");

        /// Refuses a wait beyond the calendar.
        public WaitUntil {
            if (instant.isAfter(LATEST)) {
                throw new IllegalArgumentException(
                        "a wait must end before the year 10000, was until " + instant);
            }
        }

        @Override
        public WaitUntil with(JobData more) {
            return new WaitUntil(instant, next, changes.merge(more));
        }
    }

    /// See [Action#awaitSignal].
    ///
    /// @param deadline what follows if the signal does not come in time; empty: it is waited for as long as it takes
    record AwaitSignal(String signal, String next, Optional<Deadline> deadline, JobData changes)
            implements Action {
        /// Refuses a name that no client can send.
        public AwaitSignal {
            if (!Signals.isName(signal)) {
                throw new IllegalArgumentException(
                        "a signal's name must have 1 to 100 letters, digits, '-', '_' or '.', was '"
                                + signal
                                + "'");
            }
        }

        @Override
        public AwaitSignal with(JobData more) {
            return new AwaitSignal(signal, next, deadline, changes.merge(more));
        }

        /// If the signal does not come within `time`, go to `state`.
        public AwaitSignal within(Duration time, String state) {
            return new AwaitSignal(signal, next, Optional.of(new Deadline(time, state)), changes);
        }
    }

    /// See [Action#awaitApproval].
    ///
    /// @param approvers who may decide without the token
    /// @param deadline what follows if no person decides in time; empty: it is waited for as long as it takes
    /// @param tokenDigest SHA-256 of the token with which every holder may decide; the engine sets it
    record AwaitApproval(
            String message,
            Approvers approvers,
            Outcomes choices,
            Optional<Deadline> deadline,
            Optional<String> tokenDigest,
            JobData changes)
            implements Action {
        /// The most choices.
        public static final int MOST_CHOICES = 20;

        /// The longest message, in characters.
        public static final int LONGEST_MESSAGE = 4000;

        /// The longest choice, in characters.
        public static final int LONGEST_CHOICE = 100;

        /// Refuses a question that cannot be answered.
        public AwaitApproval {
            var count = choices.states().size();
            if (count < 1 || count > MOST_CHOICES) {
                throw new IllegalArgumentException(
                        "an approval takes 1 to " + MOST_CHOICES + " choices, got " + count);
            }
            for (var choice : choices.states().sequencedKeySet()) {
                if (choice.isBlank() || choice.length() > LONGEST_CHOICE) {
                    throw new IllegalArgumentException(
                            "a choice must have 1 to "
                                    + LONGEST_CHOICE
                                    + " characters and not be blank, was '"
                                    + choice
                                    + "'");
                }
            }
            if (message.length() > LONGEST_MESSAGE) {
                throw new IllegalArgumentException(
                        "the message of an approval takes at most "
                                + LONGEST_MESSAGE
                                + " characters, got "
                                + message.length());
            }
        }

        @Override
        public AwaitApproval with(JobData more) {
            return new AwaitApproval(
                    message, approvers, choices, deadline, tokenDigest, changes.merge(more));
        }

        /// Only `who` may decide, and those to whom the token of the approval was sent.
        public AwaitApproval by(Approvers who) {
            return new AwaitApproval(message, who, choices, deadline, tokenDigest, changes);
        }

        /// If no person decides within `time`, go to `state`.
        public AwaitApproval within(Duration time, String state) {
            return new AwaitApproval(
                    message,
                    approvers,
                    choices,
                    Optional.of(new Deadline(time, state)),
                    tokenDigest,
                    changes);
        }

        /// With a token, of which this is the digest.
        public AwaitApproval withTokenDigest(String digest) {
            return new AwaitApproval(
                    message, approvers, choices, deadline, Optional.of(digest), changes);
        }
    }

    /// See [Action#continueAsNew].
    ///
    /// @param changes all the data with which the new run begins
    record ContinueAsNew(String state, JobData changes) implements Action {
        @Override
        public ContinueAsNew with(JobData more) {
            return new ContinueAsNew(state, changes.merge(more));
        }
    }

    /// See [Action#finish] and [Action#fail].
    record Finish(JobOutcome outcome, JobData changes) implements Action {
        @Override
        public Finish with(JobData more) {
            return new Finish(outcome, changes.merge(more));
        }
    }
}
