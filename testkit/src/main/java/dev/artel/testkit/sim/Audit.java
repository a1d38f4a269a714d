package dev.artel.testkit.sim;

import dev.artel.engine.core.Definitions;
import dev.artel.engine.core.DeskCore;
import dev.artel.engine.core.DeskInput;
import dev.artel.engine.core.DeskView;
import dev.artel.engine.core.SerialSteps;
import dev.artel.kernel.delivery.LeaseToken;
import dev.artel.kernel.delivery.WorkerId;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.Jobs;
import dev.artel.kernel.task.SharedLimit;
import dev.artel.kernel.task.TaskOutline;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Compares what a living orchestrator holds with what is durably asked for: job by job whenever no message about
/// it is under way, and as a whole whenever none is at all.
final class Audit {
    private final World world;
    private final Ledger ledger;
    private final Definitions definitions;
    private final Sharing sharing;
    private final DeskCore desk;
    private final Steps steps;
    private final Errands errands;
    private final Callings callings;
    private final Map<JobId, Integer> underWay = new HashMap<>();

    Audit(Site site, DeskCore desk, Steps steps, Errands errands, Callings callings) {
        this.callings = callings;
        world = site.world();
        ledger = site.ledger();
        definitions = site.definitions();
        sharing = site.sharing();
        this.desk = desk;
        this.steps = steps;
        this.errands = errands;
    }

    /// The job that a message is about.
    static Optional<JobId> jobOf(DeskInput input) {
        return switch (input) {
            case DeskInput.Reserve(var job, var _) -> Optional.of(job);
            case DeskInput.Effects(var job, var _, var _) -> Optional.of(job);
            case DeskInput.AllPending(var job, var _) -> Optional.of(job);
            case DeskInput.GrantLapsed(var token) -> jobOf(token);
            case DeskInput.Ended(var token, var _) -> jobOf(token);
            case DeskInput.WhyNotYet(long _, var job, int _) -> Optional.of(job);
            case DeskInput.Configured _,
                    DeskInput.Joined _,
                    DeskInput.Left _,
                    DeskInput.Asked _,
                    DeskInput.Withdrawn _,
                    DeskInput.Renewed _,
                    DeskInput.RenewedOnly _,
                    DeskInput.Limited _,
                    DeskInput.Judge _,
                    DeskInput.Listened _,
                    DeskInput.Look _,
                    DeskInput.Miss _,
                    DeskInput.Tick _ ->
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

    DeskView view() {
        return desk.view();
    }

    boolean isQuiet() {
        return underWay.isEmpty();
    }

    /// Whether somebody has what a job asks for.
    boolean holds(Job job, Effect effect) {
        return switch (effect) {
            case Effect.RunStep step ->
                    steps.has(job.id(), step)
                            || SerialSteps.holds(job, step, definitions);
            case Effect.AwaitChild await -> ledger.willTell(await.job(), job.id());
            case Effect.BetweenJobs errand -> errands.isUnderWay(job.id(), errand);
            case Effect.CallWebhook call -> callings.isUnderWay(job.id(), call.id());
            case Effect.Indexed entry -> desk.holds(job.id(), entry);
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
                        "nobody holds " + effect + " of job " + job.id() + ": " + desk.view());
            }
        }
    }

    /// Nothing more is held than is asked for, and nothing is under way.
    void checkAll() {
        if (world.isWatchedOnly()) {
            return;
        }
        var offers = 0;
        var alarms = 0;
        var leases = new HashSet<LeaseToken>();
        var slots = new HashMap<WorkerId, Set<LeaseToken>>();
        var limits = new HashMap<String, Integer>();
        for (var id : ledger.open()) {
            var job = ledger.fold(id).orElseThrow();
            check(job);
            for (var effect : Jobs.pending(job)) {
                switch (effect) {
                    case Effect.Offer _ -> offers++;
                    case Effect.WakeAt _ -> alarms++;
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
                            Effect.BetweenJobs _,
                            Effect.CallWebhook _,
                            Effect.Outside _ -> {}
                }
            }
        }
        var view = desk.view();
        require("offers are queued", view.queued(), offers);
        require("grants are under way", view.reserved(), 0);
        require("alarms are set", view.alarms(), alarms);
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
            if (sharing.settings().limit(key).isPresent()) {
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
