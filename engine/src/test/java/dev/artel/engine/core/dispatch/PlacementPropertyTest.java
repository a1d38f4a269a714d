package dev.artel.engine.core.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.kernel.attempt.Lease;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.engine.HandOut;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.placement.Placement;
import dev.artel.kernel.placement.WaitReason;
import dev.artel.kernel.placement.WarmPolicy;
import dev.artel.kernel.task.TaskOutline;
import dev.artel.kernel.task.TaskSpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The sets of the dispatcher, kept up to date change by change, give the same as [Reference], which looks at each
/// worker anew: who gets a task, who is refused and for what, and that nothing feasible is refused.
final class PlacementPropertyTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final JobId JOB = new JobId("job");
    private static final long SEEDS = Long.getLong("seeds", 20);
    private static final int ROUNDS = 2_000;
    private static final int WORKERS = 7;

    /// `SEEDS` times `ROUNDS` fleets and tasks.
    static LongStream seeds() {
        var one = Long.getLong("seed");
        return one == null ? LongStream.range(0, SEEDS) : LongStream.of(one);
    }

    @ParameterizedTest(name = "-Dseed={0}")
    @MethodSource("seeds")
    void placement_isThatOfTheReference(long seed) {
        var world = new World(new SplittableRandom(seed));
        for (var round = 0; round < ROUNDS; round++) {
            world.changeSomething();
            world.place();
        }
    }

    private static final class World implements DispatchSink {
        private final SplittableRandom random;
        private final RandomFleet fleet;
        private final DispatchCore core;
        private final Reference reference = new Reference();
        private final List<JobCommand.Grant> grants = new ArrayList<>();
        private final Map<Lease, TaskSpec> leases = new LinkedHashMap<>();
        private final Map<Long, WorkerId> asks = new LinkedHashMap<>();
        private int number;

        World(SplittableRandom random) {
            this.random = random;
            fleet = new RandomFleet(random);
            core = new DispatchCore(new SplittableRandom(1));
        }

        @Override
        public void grant(JobId job, JobCommand.Grant grant) {
            grants.add(grant);
        }

        @Override
        public void handOut(long ask, WorkerId worker, List<HandOut> tasks) {
            throw new AssertionError("nothing was made durable");
        }

        void changeSomething() {
            var id = RandomFleet.worker(random.nextInt(WORKERS));
            var worker = reference.workers.get(id);
            if (worker == null) {
                join(id);
                return;
            }
            switch (random.nextInt(6)) {
                case 0 -> join(id);
                case 1 -> leave(id);
                case 2, 3 -> ask(id, worker);
                case 4 -> lease(id, worker);
                default -> free(id, worker);
            }
        }

        private void join(WorkerId id) {
            var profile = fleet.profile(id);
            core.joined(profile, NOW, this);
            var worker = reference.workers.get(id);
            if (worker == null) {
                reference.workers.put(id, new Reference.Worker(profile));
            } else {
                worker.profile = profile;
            }
        }

        private void leave(WorkerId id) {
            List.copyOf(leases.keySet()).stream()
                    .filter(it -> it.worker().equals(id))
                    .forEach(it -> {
                        leases.remove(it);
                        core.freed(it, false, NOW, this);
                    });
            core.left(id);
            asks.values().removeIf(id::equals);
            reference.workers.remove(id);
        }

        private void ask(WorkerId id, Reference.Worker worker) {
            if (worker.asks > 0 && random.nextBoolean()) {
                var ask =
                        asks.entrySet().stream()
                                .filter(it -> it.getValue().equals(id))
                                .findFirst()
                                .orElseThrow()
                                .getKey();
                asks.remove(ask);
                worker.asks--;
                core.withdrawn(ask);
            } else {
                var ask = (long) ++number;
                asks.put(ask, id);
                worker.asks++;
                core.asked(ask, id, 1, NOW, this);
            }
        }

        private void lease(WorkerId id, Reference.Worker worker) {
            var task = fleet.task(WORKERS);
            var token = new LeaseToken("job." + ++number + ".1.x");
            var lease = new Lease(token, id, 1, NOW);
            leases.put(lease, task);
            worker.inWork.add(task);
            var hold =
                    new Effect.HoldLease(
                            new EffectId(number, 0), number, lease, task, "blueprint", 0);
            same(true, core.granted(JOB, hold, NOW, this), task);
        }

        private void free(WorkerId id, Reference.Worker worker) {
            leases.keySet().stream()
                    .filter(it -> it.worker().equals(id))
                    .findFirst()
                    .ifPresent(lease -> {
                        var task = leases.remove(lease);
                        worker.inWork.remove(task);
                        core.freed(lease, false, NOW, this);
                    });
        }

        void place() {
            var task = fleet.task(WORKERS);
            var client = fleet.client();
            var failedOn =
                    fleet.chance(3)
                            ? List.of(RandomFleet.worker(random.nextInt(WORKERS)))
                            : List.<WorkerId>of();
            var offer =
                    new Effect.Offer(
                            new EffectId(++number, 0),
                            number,
                            1,
                            TaskOutline.of("blueprint", task),
                            0,
                            client,
                            NOW,
                            NOW,
                            failedOn);
            var warmOnly = !task.demand().preferences().warmPolicy().equals(WarmPolicy.ANY);
            var takers = reference.takers(task, client, failedOn, warmOnly);
            var refused = reference.refused(task, client, failedOn, warmOnly);

            core.offer(JOB, offer, NOW, this);

            same(takers.isEmpty() ? 0 : 1, grants.size(), task);
            if (takers.isEmpty()) {
                var reason = Why.of(core, JOB, number, NOW);
                same(refused, reason.refused(), task);
                same(reference.workers.size(), reason.workers(), task);
                checkHold(reason);
                checkEligibilities(task, client, failedOn, warmOnly);
            } else {
                var grant = grants.removeFirst();
                same(refused, grant.placement().refused(), task);
                check(grant, task, failedOn, takers);
                core.lapsed(grant.token(), NOW, this);
            }
            core.withdraw(JOB, offer);
        }

        /// A plain comparison: there are millions.
        private static void same(@Nullable Object expected, @Nullable Object actual, Object of) {
            if (!Objects.equals(expected, actual)) {
                assertThat(actual).as("%s", of).isEqualTo(expected);
            }
        }

        private void checkHold(WaitReason reason) {
            var nobody = reference.workers.isEmpty();
            same(
                    nobody
                            ? new WaitReason.NoWorkers()
                            : new WaitReason.Refused(reason.refused().lastEntry().getKey()),
                    reason.hold(),
                    reason);
            for (var i = 1; i < reason.nearest().size(); i++) {
                var before = reason.nearest().get(i - 1).refusal();
                same(true, before.compareTo(reason.nearest().get(i).refusal()) >= 0, reason);
            }
        }

        private void checkEligibilities(
                TaskSpec task, String client, List<WorkerId> failedOn, boolean warmOnly) {
            var eligibilities =
                    core.questions().eligibilities(JOB, number, Optional.empty(), 100, NOW);
            same(reference.workers.size(), eligibilities.size(), task);
            for (var eligibility : eligibilities) {
                var worker = reference.workers.get(eligibility.worker());
                same(
                        Reference.refusal(
                                Objects.requireNonNull(worker), task, client, failedOn, warmOnly),
                        eligibility.unmetRequirement().orElseThrow().refusal(),
                        task);
                same(worker.profile.wire(), eligibility.wire(), task);
                same(
                        worker.profile.wire(),
                        eligibility.unmetRequirement().orElseThrow().wire(),
                        task);
            }
        }

        private void check(
                JobCommand.Grant grant,
                TaskSpec task,
                List<WorkerId> failedOn,
                List<Reference.Worker> takers) {
            var placement = grant.placement();
            same(grant.worker(), placement.winner(), task);
            same(grant.worker(), placement.best().getFirst().worker(), task);
            same(Math.min(Placement.MOST, takers.size()), placement.best().size(), task);
            var winner = Objects.requireNonNull(reference.workers.get(grant.worker()));
            same(true, takers.contains(winner), task);
            same(winner.profile.wire(), placement.wire(), task);
            for (var candidate : placement.best()) {
                var worker = Objects.requireNonNull(reference.workers.get(candidate.worker()));
                same(worker.profile.wire(), candidate.wire(), task);
            }
            for (var miss : placement.nearest()) {
                var worker = Objects.requireNonNull(reference.workers.get(miss.worker()));
                same(worker.profile.wire(), miss.wire(), task);
            }
            var score = Reference.score(winner, task, failedOn);
            for (var other : takers) {
                var theirs = Reference.score(other, task, failedOn);
                if (score != null && theirs != null) {
                    same(true, Arrays.compare(score, theirs) <= 0, task);
                }
            }
        }
    }
}
