package dev.artel.simulation.orchestrator;

import dev.artel.engine.core.CoordinatorCore;
import dev.artel.engine.core.JobsCore;
import dev.artel.engine.core.JobsInput;
import dev.artel.engine.core.JobsOutput;
import dev.artel.engine.core.watch.StallDetector;
import dev.artel.engine.core.watch.StallSnapshot;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.Jobs;
import dev.artel.simulation.judges.Ledger;
import dev.artel.simulation.world.World;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SequencedMap;

/// Looks for jobs that are stuck, as an engine does, in virtual time.
final class SimulatedStallScanner {
    private static final long PAUSE = 10_000;
    private static final Duration GRACE = Duration.ofMinutes(1);

    private final World world;
    private final Ledger ledger;
    private final JobsCore jobs;
    private final CoordinatorCore coordinator;
    private final SimulatedOrchestrator orchestrator;
    private final Holding holding;
    private final StallDetector watch = new StallDetector(GRACE, Duration.ofMillis(PAUSE));
    private final Map<JobId, List<String>> acknowledged = new HashMap<>();

    /// Whether somebody has what a job asks for.
    @FunctionalInterface
    interface Holding {
        boolean holds(Job job, Effect effect);
    }

    SimulatedStallScanner(
            World world,
            Ledger ledger,
            JobsCore jobs,
            CoordinatorCore coordinator,
            SimulatedOrchestrator orchestrator,
            Holding holding) {
        this.world = world;
        this.ledger = ledger;
        this.jobs = jobs;
        this.coordinator = coordinator;
        this.orchestrator = orchestrator;
        this.holding = holding;
    }

    void start() {
        orchestrator.later(
                PAUSE,
                () -> {
                    round();
                    start();
                });
    }

    void acknowledged(JobId job, String signal) {
        acknowledged.computeIfAbsent(job, _ -> new ArrayList<>()).add(signal);
    }

    private void round() {
        watch.runs(world.steadyNow());
        var slots = slots();
        var all = new LinkedHashSet<>(ledger.open());
        all.addAll(slots.keySet());
        for (var job : all) {
            for (var stall : watch.see(look(job, slots))) {
                world.stuck(stall);
            }
        }
    }

    private Map<JobId, List<LeaseToken>> slots() {
        var slots = new LinkedHashMap<JobId, List<LeaseToken>>();
        var view = coordinator.view();
        var tokens = new LinkedHashSet<>(view.leases());
        view.slots().values().forEach(tokens::addAll);
        for (var token : tokens) {
            slots.computeIfAbsent(token.address().orElseThrow().job(), _ -> new ArrayList<>())
                    .add(token);
        }
        return slots;
    }

    private StallSnapshot look(JobId id, Map<JobId, List<LeaseToken>> slots) {
        var durable = ledger.fold(id);
        var pending = durable.map(Jobs::pending).orElse(List.of());
        var unheld = new ArrayList<Effect>();
        var lost = new LinkedHashMap<EffectId, String>();
        for (var effect : pending) {
            if (effect instanceof Effect.AwaitChild await) {
                whyLost(await, lost);
            } else if (!holding.holds(durable.orElseThrow(), effect)) {
                unheld.add(effect);
            }
        }
        var seen = new ArrayList<JobsOutput>();
        jobs.on(new JobsInput.Look(id, 0), seen::add);
        var core = (JobsOutput.Seen) seen.getFirst();
        return new StallSnapshot(
                id,
                durable,
                durable.isPresent() ? core.version() : OptionalLong.empty(),
                core.isBusy(),
                unheld,
                lost,
                slots.getOrDefault(id, List.of()),
                overdue(id),
                durable.flatMap(job -> job.spec().parentLink())
                        .flatMap(parentLink -> ledger.fold(parentLink.parent())),
                acknowledged.getOrDefault(id, List.of()),
                world.now());
    }

    private SequencedMap<LeaseToken, Instant> overdue(JobId job) {
        var overdue = new LinkedHashMap<LeaseToken, Instant>();
        coordinator
                .view()
                .expiries()
                .forEach((token, expires) -> {
                    if (token.address().orElseThrow().job().equals(job)
                            && expires.isBefore(world.now())) {
                        overdue.put(token, expires);
                    }
                });
        return overdue;
    }

    private void whyLost(Effect.AwaitChild await, SequencedMap<EffectId, String> lost) {
        var child = ledger.fold(await.job());
        if (child.isEmpty() || child.get().isClosed()) {
            lost.put(await.id(), "child " + await.job() + " will not report");
        }
    }
}
