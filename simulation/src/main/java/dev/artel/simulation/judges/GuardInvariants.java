package dev.artel.simulation.judges;

import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.blueprint.State;
import dev.artel.kernel.job.BlueprintRef;
import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.JobState;
import dev.artel.simulation.world.World;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/// The part of the [Ledger] that judges whether jobs keep to what their blueprint allows them.
final class GuardInvariants {
    private final World world;
    private final Function<BlueprintRef, Optional<Blueprint>> blueprints;
    private final Map<JobId, Account> accounts = new HashMap<>();

    private static final class Account {
        final Set<EffectId> failed = new HashSet<>();
        int entered;
        long events;
        boolean compensation;
    }

    GuardInvariants(World world, Function<BlueprintRef, Optional<Blueprint>> blueprints) {
        this.world = world;
        this.blueprints = blueprints;
    }

    /// @param before the job before `event`
    /// @param next what becomes durable together with it, after it
    void judge(JobId job, JobState before, JobEvent event, List<JobEvent> next) {
        var account = accounts.computeIfAbsent(job, _ -> new Account());
        account.events++;
        switch (event) {
            case JobEvent.JobSubmitted(var spec, var _) -> {
                var known = blueprints.apply(spec.blueprint());
                if (known.isPresent() && !known.get().guards().equals(spec.guards())) {
                    throw world.failure(
                            job + " begins with " + spec.guards() + ", not as " + known.get());
                }
            }
            case JobEvent.Forked forked -> account.entered += forked.starts().size();
            case JobEvent.StateEntered _ when !account.compensation -> {
                account.entered++;
                entered((Job) before, account, next);
            }
            case JobEvent.CompensationStarted _ -> account.compensation = true;
            case JobEvent.CancelHandled _,
                    JobEvent.QuarantineResolved _,
                    JobEvent.JobRewound _,
                    JobEvent.JobContinued _ -> {
                account.entered = 0;
                account.events = 0;
                account.compensation &= !(event instanceof JobEvent.JobRewound);
            }
            case JobEvent.CancelRequested _ -> account.compensation = false;
            case JobEvent.JobQuarantined(var reason, var _) ->
                    quarantined((Job) before, account, reason);
            case JobEvent.StepFailed failed -> {
                account.failed.add(failed.step());
                failed((Job) before, failed);
            }
            case JobEvent.StepDone done -> {
                if (account.failed.contains(done.step())) {
                    throw world.failure("it has failed before: " + done + " of job " + job);
                }
            }
            default -> {
                // is limited by nothing
            }
        }
    }

    private void entered(Job before, Account account, List<JobEvent> next) {
        var guards = before.spec().guards();
        var isSpent = account.entered > guards.transitions() || account.events > guards.history();
        var isStopped =
                before.phase() instanceof Job.Quarantined
                        || next.stream().findFirst().filter(GuardInvariants::stops).isPresent();
        if (isSpent && !isStopped) {
            throw world.failure(
                    "job "
                            + before.id()
                            + " has entered "
                            + account.entered
                            + " states in "
                            + account.events
                            + " events and goes on with "
                            + next
                            + " in spite of "
                            + guards);
        }
    }

    private static boolean stops(JobEvent event) {
        return event instanceof JobEvent.JobQuarantined
                || (event instanceof JobEvent.BranchEnded ended && ended.failure().isPresent());
    }

    private void quarantined(Job before, Account account, String reason) {
        var guards = before.spec().guards();
        if ((reason.startsWith("entered ") && account.entered <= guards.transitions())
                || (reason.startsWith("has ") && account.events <= guards.history())) {
            throw world.failure(
                    "job "
                            + before.id()
                            + " has entered "
                            + account.entered
                            + " states in "
                            + account.events
                            + " events and is stopped because it "
                            + reason);
        }
    }

    private void failed(Job before, JobEvent.StepFailed failed) {
        var state = before.branches().get(failed.branch()).state();
        var most =
                blueprints
                        .apply(before.spec().blueprint())
                        .flatMap(blueprint -> blueprint.state(state))
                        .flatMap(State::retry)
                        .orElse(before.spec().guards().handlerRetry())
                        .maxAttempts();
        if (failed.attempt() >= most && failed.retryAt().isPresent()) {
            throw world.failure(
                    "state " + state + " allows " + most + " runs in one visit: " + failed);
        }
    }
}
