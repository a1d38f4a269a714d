package dev.artel.benchmarks;

import dev.artel.engine.core.CoordinatorCore;
import dev.artel.engine.core.CoordinatorInput;
import dev.artel.engine.core.CoordinatorOutput;
import dev.artel.engine.core.CoordinatorTime;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.attempt.Lease;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.fleet.WorkerProfile;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.task.TaskOutline;
import dev.artel.kernel.task.TaskSpec;
import dev.artel.kernel.timer.TimerKind;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/// The coordinator alone, without a store: what 1,000,000 queued tasks of 4 KB cost it and how fast one worker drains them, against
/// 10,000; and one failed commit of a job beside 100,000 open leases.
final class BacklogBenchmark implements Benchmark {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final WorkerId WORKER = new WorkerId("w");
    private static final int QUEUED = 1_000_000;
    private static final int FEW = 10_000;
    private static final int DRAINED = 10_000;
    private static final int LEASES = 100_000;
    private static final int TASKS_PER_JOB = 100;
    private static final int CLIENTS = 20;
    private static final int ROUNDS = 1_000;
    private static final int RUNS = 3;

    @Override
    public String name() {
        return "backlog";
    }

    @Override
    public List<String> metrics() {
        return List.of(
                "heap_bytes_per_task", "drained_per_second", "drain_ratio", "failed_commit_ms");
    }

    @Override
    public List<BenchmarkResult> run(Size size) {
        var queued = size.of(QUEUED, 2_000);
        var fewTasks = size.fixed(FEW, 400);
        var drained = size.fixed(DRAINED, 400);
        var heap = new ArrayList<Double>();
        var rates = new ArrayList<Double>();
        var ratios = new ArrayList<Double>();
        var commits = new ArrayList<Double>();
        var peak = new HeapPeak();
        new Queue(fewTasks).drain(drained / 2);
        for (var i = 0; i < size.runs(RUNS); i++) {
            var few = new Queue(fewTasks).drain(drained / 2);
            var before = peak.reset();
            var full = new Queue(queued);
            heap.add(Math.max(0, peak.reset() - before) / (double) queued);
            var rate = full.drain(drained);
            rates.add(rate);
            ratios.add(rate / few);
            commits.add(failedCommitMillis(size.of(LEASES, 100), size.fixed(ROUNDS, 5)));
        }
        return List.of(
                new BenchmarkResult(
                        name(), "heap_bytes_per_task", "B", BenchmarkResult.Better.LOWER, heap),
                new BenchmarkResult(
                        name(), "drained_per_second", "1/s", BenchmarkResult.Better.HIGHER, rates),
                new BenchmarkResult(
                        name(), "drain_ratio", "", BenchmarkResult.Better.HIGHER, ratios),
                new BenchmarkResult(
                        name(), "failed_commit_ms", "ms", BenchmarkResult.Better.LOWER, commits));
    }

    private static final class Queue {
        private final CoordinatorCore coordinator =
                new CoordinatorCore(Duration.ofHours(1), new SplittableRandom(1));
        private final List<CoordinatorOutput> outputs = new ArrayList<>();
        private long asks;

        Queue(int tasks) {
            put(new CoordinatorInput.Joined(WorkerProfile.of(WORKER, List.of("work"), 1)));
            for (var i = 0; i < tasks; i++) {
                var job = i / TASKS_PER_JOB;
                var offer =
                        new Effect.Offer(
                                new EffectId(i + 1, 0),
                                i,
                                1,
                                TaskOutline.of("b", spec(i)),
                                0,
                                "client-" + job % CLIENTS,
                                NOW,
                                NOW,
                                List.of());
                put(
                        new CoordinatorInput.Effects(
                                new JobId("job-" + job), List.of(offer), List.of()));
            }
        }

        private static TaskSpec spec(int number) {
            var text = Integer.toString(number) + "x".repeat(4_096);
            return TaskSpec.of("work", JsonObject.of("text", JsonValue.of(text)));
        }

        private void put(CoordinatorInput input) {
            coordinator.on(input, new CoordinatorTime(NOW, NOW), outputs::add);
        }

        /// The one grant among the outputs; others are figures.
        private CoordinatorOutput.Command granted() {
            return outputs.stream()
                    .filter(CoordinatorOutput.Command.class::isInstance)
                    .map(CoordinatorOutput.Command.class::cast)
                    .filter(output -> output.command() instanceof JobCommand.Grant)
                    .findFirst()
                    .orElseThrow(
                            () -> new IllegalStateException("no task was granted: " + outputs));
        }

        /// One task after another; how many a second.
        double drain(int tasks) {
            var began = System.nanoTime();
            for (var i = 0; i < tasks; i++) {
                outputs.clear();
                put(new CoordinatorInput.Asked(++asks, WORKER, 1));
                var command = granted();
                var job = command.job();
                var grant = (JobCommand.Grant) command.command();
                var lease = new Lease(grant.token(), WORKER, 1, NOW.plusSeconds(60));
                var hold =
                        new Effect.HoldLease(
                                new EffectId(grant.task() + 1, 1),
                                grant.task(),
                                lease,
                                spec(grant.task()),
                                "b",
                                0);
                var offer =
                        new Effect.Offer(
                                grant.offer(),
                                grant.task(),
                                1,
                                hold.outline(),
                                0,
                                "",
                                NOW,
                                NOW,
                                List.of());
                put(new CoordinatorInput.Effects(job, List.of(hold), List.of(offer)));
                put(new CoordinatorInput.Effects(job, List.of(), List.of(hold)));
            }
            return tasks / ((System.nanoTime() - began) / 1e9);
        }
    }

    /// How long it takes to send again what a job with one lease asks for.
    private static double failedCommitMillis(int open, int rounds) {
        var coordinator = new CoordinatorCore(Duration.ofHours(1), new SplittableRandom(1));
        var time = new CoordinatorTime(NOW, NOW);
        var pending = new ArrayList<Effect.Indexed>();
        for (var i = 0; i < open; i++) {
            var job = new JobId("job-" + i);
            var token = LeaseToken.mint(job, 0, 1, i);
            var lease = new Lease(token, new WorkerId("w" + i % 1_000), 1, NOW.plusSeconds(60));
            var spec = TaskSpec.of("work", JsonObject.EMPTY);
            var hold = new Effect.HoldLease(new EffectId(3, 0), 0, lease, spec, "b", 0);
            var timer =
                    new Effect.ScheduleTimer(
                            new EffectId(3, 1), NOW.plusSeconds(60), new TimerKind.TaskTimer(0));
            pending.clear();
            pending.add(hold);
            pending.add(timer);
            coordinator.on(
                    new CoordinatorInput.Effects(job, List.copyOf(pending), List.of()),
                    time,
                    _ -> {});
        }
        var again = new CoordinatorInput.AllPending(new JobId("job-" + (open - 1)), pending);
        var began = System.nanoTime();
        for (var i = 0; i < rounds; i++) {
            coordinator.on(again, time, _ -> {});
        }
        return (System.nanoTime() - began) / 1e6 / rounds;
    }
}
