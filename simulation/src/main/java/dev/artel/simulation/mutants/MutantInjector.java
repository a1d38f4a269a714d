package dev.artel.simulation.mutants;

import dev.artel.engine.core.CoordinatorInput;
import dev.artel.engine.core.CoordinatorOutput;
import dev.artel.engine.core.JobsInput;
import dev.artel.engine.core.JobsOutput;
import dev.artel.engine.core.dispatch.DispatchSettings;
import dev.artel.kernel.approval.Approver;
import dev.artel.kernel.attempt.Attempt;
import dev.artel.kernel.attempt.Lease;
import dev.artel.kernel.attempt.LeaseEnd;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.branch.Branch;
import dev.artel.kernel.branch.StateVisit;
import dev.artel.kernel.engine.CommandReply;
import dev.artel.kernel.engine.HandOut;
import dev.artel.kernel.fleet.Slots;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.Jobs;
import dev.artel.kernel.job.QuarantineAction;
import dev.artel.kernel.job.RecordedResult;
import dev.artel.kernel.job.Resolution;
import dev.artel.kernel.job.Task;
import dev.artel.kernel.placement.Exclusion;
import dev.artel.kernel.store.Append;
import dev.artel.kernel.task.Payload;
import dev.artel.kernel.task.Rate;
import dev.artel.kernel.task.SharedLimit;
import dev.artel.kernel.task.TaskOutline;
import dev.artel.kernel.task.TaskReport;
import dev.artel.kernel.task.TaskSpec;
import dev.artel.simulation.judges.HedgeInvariants;
import dev.artel.simulation.judges.Ledger;
import dev.artel.simulation.world.Mutant;
import dev.artel.simulation.world.ScriptedNames;
import dev.artel.simulation.world.Sharing;
import dev.artel.simulation.world.World;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/// Where a planted bug does its harm. Without one, everything passes as it is.
public final class MutantInjector {
    private final World world;
    private final Ledger ledger;
    private final Map<JobId, JobCommand.CompleteStep> outcomes = new HashMap<>();
    private DispatchSettings settings;
    private long refills;

    public MutantInjector(World world, Ledger ledger, DispatchSettings settings) {
        this.world = world;
        this.ledger = ledger;
        this.settings = settings;
    }

    /// What is left of effects that were asked for.
    public List<Effect> asked(Job job, List<Effect> asked, List<Effect> ended, boolean recovering) {
        var left = new ArrayList<Effect>();
        for (var effect : asked) {
            if (!isLost(effect, recovering)) {
                var sabotaged =
                        isRequeue(effect) ? sameAttempt((Effect.Offer) effect) : anywhere(effect);
                left.add(
                        switch (sabotaged) {
                            case Effect.Offer offer -> unfair(offer);
                            case Effect.HoldLease hold
                                    when recovering
                                            && world.has(Mutant.LIMITS_FORGOTTEN_ON_RECOVERY) ->
                                    unlimited(hold);
                            default -> sabotaged;
                        });
            }
        }
        if (world.has(Mutant.WINDOW_NOT_ADVANCED) && endsLeaseOfAnother(job, asked, ended)) {
            left.removeIf(effect -> effect instanceof Effect.Offer);
        }
        if (world.has(Mutant.RESUME_UNHEARD)
                && ended.stream().anyMatch(effect -> effect instanceof Effect.AwaitResume)) {
            left.clear();
        }
        if (world.has(Mutant.NEXT_CHILD_NOT_STARTED)
                && ended.stream().anyMatch(effect -> effect instanceof Effect.AwaitChild)) {
            left.removeIf(effect -> effect instanceof Effect.StartChild);
        }
        return left;
    }

    /// What the coordinator takes the settings for.
    public CoordinatorInput.Configured settings(DispatchSettings settings) {
        if (world.has(Mutant.LIMITS_RAISED)) {
            return new CoordinatorInput.Configured(with(settings, limit -> moved(limit, 1)));
        }
        if (world.has(Mutant.LIMITS_LOWERED)) {
            return new CoordinatorInput.Configured(with(settings, limit -> moved(limit, -1)));
        }
        if (world.has(Mutant.CLIENT_PREFERRED)) {
            var weights = new LinkedHashMap<>(settings.weights());
            weights.put(Sharing.CLIENTS.getFirst(), 1_000.0);
            return new CoordinatorInput.Configured(settings.withWeights(weights));
        }
        if (world.has(Mutant.JOBS_PREFERRED)) {
            return new CoordinatorInput.Configured(PreferredJobs.divided(settings));
        }
        return new CoordinatorInput.Configured(
                world.has(Mutant.AGING_OFF) ? settings.withAging(0) : settings);
    }

    /// What an input of the coordinator becomes on its way; empty if it is lost.
    public Optional<CoordinatorInput> input(CoordinatorInput input) {
        if (input instanceof CoordinatorInput.Configured(var settings)) {
            this.settings = settings;
            return Optional.of(settings(settings));
        }
        if (world.has(Mutant.JOBS_PREFERRED)) {
            return Optional.of(PreferredJobs.renamed(input));
        }
        if (input instanceof CoordinatorInput.Joined(var profile)) {
            return Optional.of(new CoordinatorInput.Joined(profile.with(slots(profile.slots()))));
        }
        if (input instanceof CoordinatorInput.Tick(var at) && world.has(Mutant.LEASE_CUT_SHORT)) {
            return Optional.of(new CoordinatorInput.Tick(at.plusMillis(1)));
        }
        var isLost =
                world.has(Mutant.POLL_UNHEARD)
                        && input instanceof CoordinatorInput.Asked
                        && world.chance(0.3);
        return isLost ? Optional.empty() : Optional.of(input);
    }

    private Slots slots(Slots slots) {
        if (world.has(Mutant.SLOTS_RAISED)) {
            return new Slots(slots.total() + 1, slots.categories(), slots.limits());
        }
        return world.has(Mutant.CATEGORIES_IGNORED)
                ? new Slots(slots.total(), slots.categories(), new LinkedHashMap<>())
                : slots;
    }

    /// Whether an output of the coordinator comes to nothing.
    ///
    /// @param input what it answers
    public boolean isUnheard(CoordinatorOutput output, CoordinatorInput input) {
        return switch (output) {
            case CoordinatorOutput.Command(var _, JobCommand.EndLease end) ->
                    world.has(Mutant.LEASES_OVERDUE) && end.reason() == LeaseEnd.Lost.EXPIRED;
            case CoordinatorOutput.HandOuts _ ->
                    world.has(Mutant.READY_HELD_BACK) && input instanceof CoordinatorInput.Tick;
            default -> false;
        };
    }

    /// Whether an output of a job comes to nothing.
    ///
    /// @param input what it answers
    public boolean isUnheard(JobsOutput output, JobsInput input) {
        return world.has(Mutant.GRANT_WAITS_FOR_READING)
                && output instanceof JobsOutput.GrantLapsed
                && input instanceof JobsInput.LoadFailed;
    }

    /// What a reply to a report becomes on its way.
    public CommandReply reply(CommandReply reply) {
        return world.has(Mutant.SECOND_REPORT_COUNTS) && reply instanceof CommandReply.Done
                ? new CommandReply.Done(true)
                : reply;
    }

    /// What the coordinator took `effect` for.
    public Effect.Indexed heard(JobId job, Effect.Indexed effect) {
        return world.has(Mutant.JOBS_PREFERRED) ? PreferredJobs.renamed(job, effect) : effect;
    }

    /// What fills the buckets of a coordinator.
    public Optional<CoordinatorInput> refill() {
        refills++;
        return world.has(Mutant.BUCKETS_REFILLED)
                ? Optional.of(new CoordinatorInput.Configured(with(settings, this::refilled)))
                : Optional.empty();
    }

    private static DispatchSettings with(
            DispatchSettings settings, UnaryOperator<SharedLimit> change) {
        return settings.withLimits(settings.limits().values().stream().map(change).toList());
    }

    private static SharedLimit moved(SharedLimit limit, int by) {
        return limit.concurrent().isPresent()
                ? limit.withConcurrent(Math.max(1, limit.concurrent().getAsInt() + by))
                : limit;
    }

    /// Another rate has another bucket, be it a nanosecond longer.
    private SharedLimit refilled(SharedLimit limit) {
        return limit.rate().isPresent()
                ? limit.withRate(
                        new Rate(
                                limit.rate().get().tasks(),
                                limit.rate().get().per().plusNanos(refills),
                                limit.rate().get().burst()))
                : limit;
    }

    private static Effect unlimited(Effect.HoldLease hold) {
        var spec = hold.spec();
        return new Effect.HoldLease(
                hold.id(),
                hold.task(),
                hold.lease(),
                new TaskSpec(
                        spec.type(),
                        spec.params(),
                        spec.limits(),
                        spec.demand(),
                        spec.idempotent(),
                        spec.hedgedAfter()),
                hold.blueprint(),
                hold.priority(),
                hold.trace(),
                hold.answers());
    }

    private boolean isLost(Effect effect, boolean recovering) {
        return switch (effect) {
            case Effect.RunStep _ -> world.has(Mutant.LOST_WAKE_UP) && world.chance(0.05);
            case Effect.ScheduleTimer _ ->
                    recovering && world.has(Mutant.TIMERS_DROPPED_ON_RECOVERY);
            case Effect.HoldParked _ ->
                    recovering && world.has(Mutant.PARKED_FORGOTTEN_ON_RECOVERY);
            case Effect.HoldLease _ -> recovering && world.has(Mutant.LEASES_FORGOTTEN_ON_RECOVERY);
            case Effect.Revoke revoke ->
                    world.has(Mutant.REVOKED_LEASE_FREES_SLOT)
                            || (world.has(Mutant.LOSER_NOT_NOTIFIED)
                                    && revoke.spec().hedgedAfter().isPresent())
                            || (recovering && world.has(Mutant.LINGERING_FORGOTTEN_ON_RECOVERY));
            case Effect.CallWebhook _ -> world.has(Mutant.WEBHOOK_FORGOTTEN) && world.chance(0.3);
            case Effect.Offer _, Effect.CrossJob _, Effect.Outside _ -> false;
        };
    }

    private Effect unfair(Effect.Offer offer) {
        var outline = offer.outline();
        return new Effect.Offer(
                offer.id(),
                offer.task(),
                offer.attempt(),
                world.has(Mutant.LIMITS_FORGOTTEN)
                        ? new TaskOutline(
                                outline.blueprint(), outline.type(), outline.demand(), List.of())
                        : outline,
                offer.priority(),
                world.has(Mutant.CLIENTS_CONFUSED) ? "somebody else" : offer.client(),
                offer.opened(),
                offer.notBefore(),
                offer.failedOn());
    }

    private boolean isRequeue(Effect effect) {
        return world.has(Mutant.REQUEUED_AS_SAME_ATTEMPT)
                && effect instanceof Effect.Offer offer
                && offer.attempt() > 1;
    }

    private static Effect sameAttempt(Effect.Offer offer) {
        return new Effect.Offer(
                offer.id(),
                offer.task(),
                offer.attempt() - 1,
                offer.outline(),
                offer.priority(),
                offer.client(),
                offer.opened(),
                offer.notBefore(),
                offer.failedOn());
    }

    private Effect anywhere(Effect effect) {
        return world.has(Mutant.HEDGED_AT_THE_SAME_WORKER)
                        && effect instanceof Effect.Offer offer
                        && offer.outline().demand().preferences().exclusion()
                                == Exclusion.NEVER_AGAIN
                ? new Effect.Offer(
                        offer.id(),
                        offer.task(),
                        offer.attempt(),
                        offer.outline(),
                        offer.priority(),
                        offer.client(),
                        offer.opened(),
                        offer.notBefore(),
                        List.of())
                : effect;
    }

    private static boolean endsLeaseOfAnother(Job job, List<Effect> asked, List<Effect> ended) {
        return job.branches().get(0).doing() instanceof Branch.AwaitingTasks
                && ended.stream().anyMatch(effect -> effect instanceof Effect.HoldLease)
                && asked.stream()
                        .anyMatch(effect ->
                                effect instanceof Effect.Offer offer && offer.attempt() == 1);
    }

    /// Whether an answer is dropped on its way.
    public boolean forgets() {
        return world.has(Mutant.ANSWER_FORGOTTEN);
    }

    /// What is left of effects that ended.
    ///
    /// @param asked what is asked for at the same time
    public List<Effect> ended(List<Effect> ended, List<Effect> asked) {
        if (world.has(Mutant.PARKED_KEEPS_SLOT)
                && asked.stream().anyMatch(effect -> effect instanceof Effect.HoldParked)) {
            return ended.stream().filter(effect -> !(effect instanceof Effect.HoldLease)).toList();
        }
        if (world.has(Mutant.PAUSE_UNHEARD)
                && asked.stream().anyMatch(effect -> effect instanceof Effect.AwaitResume)) {
            return ended.stream().filter(effect -> !(effect instanceof Effect.Offer)).toList();
        }
        return world.has(Mutant.LEAKED_SLOT)
                ? ended.stream()
                        .filter(effect ->
                                !(effect instanceof Effect.HoldLease) || world.chance(0.8))
                        .toList()
                : ended;
    }

    /// What a command becomes on its way to its job.
    public JobCommand command(Job job, JobCommand command) {
        if (world.has(Mutant.COST_FORGOTTEN) && command instanceof JobCommand.Report report) {
            return new JobCommand.Report(
                    report.task(),
                    report.token(),
                    report.worker(),
                    report.report(),
                    report.random(),
                    report.at());
        }
        if (world.has(Mutant.STALE_LEASE_ACCEPTED)
                && command
                        instanceof
                        JobCommand.Report(
                                int task,
                                var token,
                                var _,
                                var report,
                                var cost,
                                double random,
                                var at)
                && task < job.tasks().size()
                && job.tasks().get(task).state()
                        instanceof
                        Task.Open(Attempt.Leased(var _, var lease, var _, double _), int _, var _)
                && !lease.token().equals(token)) {
            return new JobCommand.Report(
                    task, lease.token(), lease.worker(), report, cost, random, at);
        }
        if (world.has(Mutant.OTHER_ATTEMPT_ENDED)
                && command
                        instanceof
                        JobCommand.Report(
                                int task,
                                var token,
                                var _,
                                TaskReport.Failed report,
                                var cost,
                                double random,
                                var at)
                && task < job.tasks().size()) {
            var leases = HedgeInvariants.leases(job.tasks().get(task));
            if (leases.size() == 2 && HedgeInvariants.isLive(job.tasks().get(task), token)) {
                var other = leases.get(leases.getFirst().token().equals(token) ? 1 : 0);
                return new JobCommand.Report(
                        task, other.token(), other.worker(), report, cost, random, at);
            }
        }
        if (world.has(Mutant.RESOLUTION_INVERTED)
                && command
                        instanceof
                        JobCommand.ResolveTask(
                                int task,
                                Resolution.DidNotHappen _,
                                var by,
                                var at)) {
            return new JobCommand.ResolveTask(
                    task, new Resolution.Happened("success", Payload.EMPTY), by, at);
        }
        if (world.has(Mutant.ANSWER_CHANGED)
                && command
                        instanceof
                        JobCommand.AnswerQuestion(long number, var answer, var by, var at)
                && ScriptedNames.ANSWERS.contains(answer)) {
            var other = ScriptedNames.ANSWERS.get(1 - ScriptedNames.ANSWERS.indexOf(answer));
            return new JobCommand.AnswerQuestion(number, other, by, at);
        }
        if (world.has(Mutant.CONTINUED_WITH_OLD_DATA)
                && command
                        instanceof
                        JobCommand.CompleteStep(
                                var step,
                                Action.ContinueAsNew(var state, var data),
                                var passed,
                                var at)) {
            return new JobCommand.CompleteStep(
                    step, new Action.ContinueAsNew(state, job.data().merge(data)), passed, at);
        }
        if (world.has(Mutant.SKIP_TAKEN_FOR_RELEASE)
                && command
                        instanceof
                        JobCommand.ResolveQuarantine(QuarantineAction.Skip _, var by, var at)) {
            return new JobCommand.ResolveQuarantine(new QuarantineAction.Release(), by, at);
        }
        if (world.has(Mutant.REWOUND_WITHOUT_ITS_DATA)
                && command instanceof JobCommand.Rewind(var to, var by, var at)) {
            return new JobCommand.Rewind(to.withData(job.data()), by, at);
        }
        if (world.has(Mutant.REWOUND_WITHOUT_COMPENSATION)
                && command instanceof JobCommand.Rewind(var to, var by, var at)) {
            return new JobCommand.Rewind(
                    new StateVisit(to.state(), to.data(), to.tasks(), Integer.MAX_VALUE, to.run()),
                    by,
                    at);
        }
        if (world.has(Mutant.DOUBT_FORGOTTEN)
                && command instanceof JobCommand.EndLease(int task, var token, var _, var at)
                && task < job.tasks().size()
                && !job.tasks().get(task).spec().idempotent()) {
            return new JobCommand.EndLease(task, token, LeaseEnd.Returned.NOT_RECEIVED, at);
        }
        if (world.has(Mutant.SIGNAL_COUNTED_TWICE)
                && command
                        instanceof
                        JobCommand.Signal(var signal, var id, var payload, var sender, var at)
                && job.signals().known().containsKey(id)) {
            return new JobCommand.Signal(signal, id + "-again", payload, sender, at);
        }
        if (world.has(Mutant.TOKEN_WORKS_AGAIN)
                && command
                        instanceof
                        JobCommand.DecideApproval(
                                Approver.TokenHolder(var digest, var _),
                                var choice,
                                var comment,
                                var at)
                && job.approvals().past().stream()
                        .anyMatch(past -> past.tokenDigest().equals(Optional.of(digest)))) {
            return new JobCommand.DecideApproval(whateverWaits(job), choice, comment, at);
        }
        return command;
    }

    private static Approver whateverWaits(Job job) {
        return Jobs.pending(job).stream()
                .filter(Effect.AwaitApproval.class::isInstance)
                .map(Effect.AwaitApproval.class::cast)
                .findFirst()
                .map(wait -> new Approver.OfClient("anybody", wait.number()))
                .orElse(new Approver.OfClient("anybody", 0));
    }

    /// What a fork becomes on its way.
    public JobCommand.Fork fork(JobCommand.Fork fork) {
        return world.has(Mutant.FORKED_WITH_OTHER_RESULTS)
                ? new JobCommand.Fork(
                        fork.spec(),
                        fork.from(),
                        fork.data(),
                        fork.recordedResult().stream()
                                .map(it ->
                                        new RecordedResult(
                                                it.task(),
                                                it.type(),
                                                it.params(),
                                                it.worker(),
                                                it.status(),
                                                Payload.EMPTY))
                                .toList(),
                        fork.by(),
                        fork.at())
                : fork;
    }

    /// Whether a signal is dropped on its way.
    public boolean forgets(JobId job, JobCommand.Signal signal) {
        return world.has(Mutant.SIGNAL_FORGOTTEN)
                && ledger.fold(job)
                        .filter(found ->
                                found.branches().stream()
                                        .noneMatch(branch ->
                                                branch.doing() instanceof Branch.AwaitingSignal wait
                                                        && wait.signal().equals(signal.signal())))
                        .isPresent();
    }

    public void remember(JobId job, JobCommand command) {
        if (command instanceof JobCommand.CompleteStep done) {
            outcomes.put(job, done);
        }
    }

    /// The outcome of the step before, for this step.
    public Optional<JobCommand> outcomeAgain(Job job, Effect.RunStep step) {
        var last = outcomes.get(job.id());
        return world.has(Mutant.STEP_APPLIED_TWICE) && last != null
                ? Optional.of(
                        new JobCommand.CompleteStep(step.id(), last.action(), List.of(), last.at()))
                : Optional.empty();
    }

    /// The hand-out that a grant will become, if all goes well.
    public Optional<CoordinatorOutput> handOut(JobCommand command) {
        if (!world.has(Mutant.HAND_OUT_BEFORE_COMMIT)
                || !(command instanceof JobCommand.Grant grant)) {
            return Optional.empty();
        }
        var job = grant.token().address().orElseThrow().job();
        return ledger.fold(job)
                .filter(fold -> grant.task() < fold.tasks().size())
                .map(fold -> {
                    var spec = fold.tasks().get(grant.task()).spec();
                    var lease =
                            new Lease(
                                    grant.token(),
                                    grant.worker(),
                                    1,
                                    grant.at().plus(spec.limits().executionTimeout()));
                    return new CoordinatorOutput.HandOuts(
                            0,
                            grant.worker(),
                            List.of(new HandOut(job, grant.task(), lease, spec, 0)));
                });
    }

    /// What is written past the rules when a report comes again.
    public List<JobEvent> again(JobCommand.Report report, Append last) {
        return ledger.fold(report.token().address().orElseThrow().job())
                .filter(job -> world.has(Mutant.DUPLICATE_REPORT_APPLIED))
                .filter(job -> !last.events().isEmpty())
                .filter(job -> report.task() < job.tasks().size())
                .map(job -> job.tasks().get(report.task()).state())
                .filter(state ->
                        state instanceof Task.Succeeded done && done.by().equals(report.token()))
                .map(state -> (Task.Succeeded) state)
                .<List<JobEvent>>map(done ->
                        List.of(
                                new JobEvent.TaskSucceeded(
                                        report.task(),
                                        done.by(),
                                        done.status(),
                                        done.data(),
                                        report.at())))
                .orElse(List.of());
    }
}
