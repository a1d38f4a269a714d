package dev.artel.simulation.orchestrator;

import dev.artel.engine.core.CoordinatorInput;
import dev.artel.engine.core.CoordinatorView;
import dev.artel.engine.core.Definitions;
import dev.artel.engine.core.SerialSteps;
import dev.artel.engine.core.dispatch.DispatchSettings;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.Jobs;
import dev.artel.kernel.task.SharedLimit;
import dev.artel.kernel.task.TaskOutline;
import dev.artel.simulation.judges.Ledger;
import dev.artel.simulation.world.World;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Compares what a living orchestrator holds with what is durably asked for: job by job whenever no message about
/// it is under way, and as a whole whenever none is at all.
public final class Audit {
    private final World world;
    private final Ledger ledger;
    private final Definitions definitions;
    private final SimulatedCoordinator coordinator;
    private final SimulatedSteps simulatedSteps;
    private final SimulatedChildCommands simulatedChildCommands;
    private final SimulatedWebhooks simulatedWebhooks;
    private final Map<JobId, Integer> underWay = new HashMap<>();
    private DispatchSettings settings;

    Audit(
            OrchestratorHost orchestratorHost,
            SimulatedCoordinator coordinator,
            SimulatedSteps simulatedSteps,
            SimulatedChildCommands simulatedChildCommands,
            SimulatedWebhooks simulatedWebhooks) {
        this.simulatedWebhooks = simulatedWebhooks;
        world = orchestratorHost.world();
        ledger = orchestratorHost.ledger();
        definitions = orchestratorHost.definitions();
        settings = orchestratorHost.sharing().settings();
        this.coordinator = coordinator;
        this.simulatedSteps = simulatedSteps;
        this.simulatedChildCommands = simulatedChildCommands;
    }

    /// The job that a message is about.
    static Optional<JobId> jobOf(CoordinatorInput input) {
        return switch (input) {
            case CoordinatorInput.Reserve(var job, var _) -> Optional.of(job);
            case CoordinatorInput.Effects(var job, var _, var _) -> Optional.of(job);
            case CoordinatorInput.AllPending(var job, var _) -> Optional.of(job);
            case CoordinatorInput.Unreadable(var job) -> Optional.of(job);
            case CoordinatorInput.GrantLapsed(var token) -> jobOf(token);
            case CoordinatorInput.Ended(var token, var _) -> jobOf(token);
            case CoordinatorInput.WhyNotYet(long _, var job, var _) -> Optional.of(job);
            case CoordinatorInput.Configured _,
                    CoordinatorInput.Joined _,
                    CoordinatorInput.Left _,
                    CoordinatorInput.Asked _,
                    CoordinatorInput.Withdrawn _,
                    CoordinatorInput.Renewed _,
                    CoordinatorInput.RenewedOnly _,
                    CoordinatorInput.Limited _,
                    CoordinatorInput.Judge _,
                    CoordinatorInput.Foresee _,
                    CoordinatorInput.Survey _,
                    CoordinatorInput.Listened _,
                    CoordinatorInput.Look _,
                    CoordinatorInput.Miss _,
                    CoordinatorInput.Tick _ ->
                    Optional.empty();
        };
    }

    private static Optional<JobId> jobOf(LeaseToken token) {
        return token.address().map(LeaseToken.Address::job);
    }

    /// A message about a job sets out.
    void begin(JobId job) {
        underWay.merge(job, 1, Integer::sum);
    }

    /// A message about a job has been dealt with.
    void end(JobId job) {
        if (underWay.merge(job, -1, (count, change) -> count + change == 0 ? null : count + change)
                == null) {
            ledger.fold(job).ifPresent(this::check);
            if (underWay.isEmpty() && world.chance(0.05)) {
                checkAll();
            }
        }
    }

    /// The coordinator has read other settings, and holds its tasks to them from now on.
    void configured(DispatchSettings read) {
        settings = read;
    }

    CoordinatorView view() {
        return coordinator.core().view();
    }

    public boolean isQuiet() {
        return underWay.isEmpty();
    }

    /// Whether somebody has what a job asks for.
    boolean holds(Job job, Effect effect) {
        return switch (effect) {
            case Effect.RunStep step ->
                    simulatedSteps.has(job.id(), step) || SerialSteps.holds(job, step, definitions);
            case Effect.AwaitChild await -> ledger.willNotifyParent(await.job(), job.id());
            case Effect.CrossJob command -> simulatedChildCommands.isUnderWay(job.id(), command);
            case Effect.CallWebhook call -> simulatedWebhooks.isUnderWay(job.id(), call.id());
            case Effect.Indexed entry -> coordinator.holds(job.id(), entry);
            case Effect.Outside _ -> true;
        };
    }

    private void check(Job job) {
        if (world.isWatchedOnly()) {
            return;
        }
        for (var effect : Jobs.pending(job)) {
            if (!holds(job, effect)) {
                throw world.failure(
                        "nobody holds "
                                + effect
                                + " of job "
                                + job.id()
                                + ": "
                                + coordinator.core().view());
            }
        }
    }

    /// Nothing more is held than is asked for, and nothing is under way.
    public void checkAll() {
        if (world.isWatchedOnly()) {
            return;
        }
        var offers = 0;
        var timers = 0;
        var leases = new HashSet<LeaseToken>();
        var slots = new HashMap<WorkerId, Set<LeaseToken>>();
        var limits = new HashMap<String, Integer>();
        for (var id : ledger.open()) {
            var job = ledger.fold(id).orElseThrow();
            check(job);
            for (var effect : Jobs.pending(job)) {
                switch (effect) {
                    case Effect.Offer _ -> offers++;
                    case Effect.ScheduleTimer _ -> timers++;
                    case Effect.HoldLease hold -> {
                        var lease = hold.lease();
                        count(hold.outline(), limits);
                        leases.add(lease.token());
                        slots.computeIfAbsent(lease.worker(), _ -> new HashSet<>())
                                .add(lease.token());
                    }
                    case Effect.Revoke revoke -> {
                        var lease = revoke.lease();
                        count(revoke.outline(), limits);
                        leases.add(lease.token());
                        slots.computeIfAbsent(lease.worker(), _ -> new HashSet<>())
                                .add(lease.token());
                    }
                    case Effect.HoldParked parked -> leases.add(parked.lease().token());
                    case Effect.RunStep _,
                            Effect.CrossJob _,
                            Effect.CallWebhook _,
                            Effect.Outside _ -> {}
                }
            }
        }
        var view = coordinator.core().view();
        require("offers are queued", view.queued(), offers);
        require("grants are under way", view.reserved(), 0);
        require("timers are set", view.timers(), timers);
        require("leases are held", view.leases(), leases);
        require("places at limits are taken", view.limits(), limits);
        view.slots()
                .forEach((worker, tokens) ->
                        require(
                                "slots of " + worker + " are taken",
                                tokens,
                                slots.getOrDefault(worker, Set.of())));
    }

    private void count(TaskOutline task, Map<String, Integer> limits) {
        for (var key :
                List.of(
                        SharedLimit.OF_TYPE + task.type(),
                        SharedLimit.OF_BLUEPRINT + task.blueprint())) {
            if (settings.limit(key).isPresent()) {
                limits.merge(key, 1, Integer::sum);
            }
        }
        task.limits().forEach(limit -> limits.merge(limit.key(), 1, Integer::sum));
    }

    private void require(String what, Object found, Object wanted) {
        if (!found.equals(wanted)) {
            throw world.failure(what + ": " + found + ", by what is durable: " + wanted);
        }
    }
}
