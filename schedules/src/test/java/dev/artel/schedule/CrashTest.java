package dev.artel.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.store.KeyValueStore;
import dev.artel.schedule.rules.JobTemplate;
import dev.artel.schedule.rules.RunPolicy;
import dev.artel.schedule.rules.RunPolicy.CatchUp;
import dev.artel.schedule.rules.RunPolicy.Overlap;
import dev.artel.schedule.rules.ScheduleDefinition;
import dev.artel.schedule.rules.ScheduleRules;
import dev.artel.schedule.rules.ScheduleState;
import dev.artel.schedule.rules.ScheduledRun;
import dev.artel.schedule.timing.Timing;
import dev.artel.testkit.store.InMemoryKeyValueStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// A process that is killed a hundred times, in virtual time: before a submission, between it and what is kept of it, and after that.
final class CrashTest {
    private static final Instant START = Instant.parse("2026-03-29T00:00:00Z");
    private static final int KILLS = 100;

    private static final class Killed extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    /// What survives, and the calls after which the process dies.
    private static final class World implements KeyValueStore, ScheduledJobs {
        final KeyValueStore kept = new InMemoryKeyValueStore();
        final Map<String, JobId> jobs = new LinkedHashMap<>();
        final Set<JobId> ended = new HashSet<>();
        final List<String> calls = new ArrayList<>();
        Instant now = START;
        int callsLeft = Integer.MAX_VALUE;
        boolean isKilledBefore;

        private <T> T call(String what, Supplier<T> act) {
            callsLeft--;
            if (callsLeft == 0 && isKilledBefore) {
                calls.add("killed before " + what);
                throw new Killed();
            }
            var answer = act.get();
            if (callsLeft == 0) {
                calls.add("killed after " + what);
                throw new Killed();
            }
            return answer;
        }

        @Override
        public Outcome submit(ScheduleDefinition schedule, ScheduledRun run) {
            return call(
                    "submit",
                    () -> {
                        var key = run.key(schedule.id());
                        var job =
                                jobs.computeIfAbsent(
                                        key, _ -> new JobId("job-" + (jobs.size() + 1)));
                        return new Outcome.Submitted(job);
                    });
        }

        @Override
        public Optional<String> cancel(JobId job, String reason) {
            return call(
                    "cancel",
                    () -> {
                        ended.add(job);
                        return Optional.empty();
                    });
        }

        @Override
        public Optional<String> end(JobId job) {
            return ended.contains(job) ? Optional.of("finished") : Optional.empty();
        }

        @Override
        public OptionalLong put(String space, String key, long expected, JsonValue value) {
            return call("put", () -> kept.put(space, key, expected, value));
        }

        @Override
        public Optional<Entry> get(String space, String key) {
            return kept.get(space, key);
        }

        @Override
        public boolean remove(String space, String key, long expected) {
            return kept.remove(space, key, expected);
        }

        @Override
        public List<Entry> list(String space, String prefix, String after, int limit) {
            return kept.list(space, prefix, after, limit);
        }
    }

    static Stream<Long> seeds() {
        var one = Long.getLong("seed");
        return (one == null ? LongStream.range(0, 20) : LongStream.of(one)).boxed();
    }

    @ParameterizedTest(name = "-Dseed={0}")
    @MethodSource("seeds")
    void eachTick_hasExactlyOneJob_howeverOftenTheProcessIsKilled(long seed) {
        var random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
        var overlap = List.of(Overlap.values()).get(random.nextInt(Overlap.values().length));
        // An outage may be longer than what still is on time.
        var outage = random.nextBoolean() ? 12 : 400;
        var catchUp = outage == 12 ? CatchUp.NONE : CatchUp.ALL;
        var policy =
                new RunPolicy(
                        overlap,
                        1000,
                        catchUp,
                        1000,
                        Duration.ofDays(1),
                        Duration.ofSeconds(random.nextInt(2) * 7L),
                        10,
                        Optional.empty());
        var schedule =
                new ScheduleDefinition(
                        "often",
                        "id-" + seed,
                        1,
                        ScheduleDefinition.Origin.API,
                        JobTemplate.of("report", "acme", JsonObject.EMPTY),
                        new Timing.Interval(Duration.ofSeconds(outage == 12 ? 13 : 97), START),
                        policy,
                        Optional.empty(),
                        Optional.empty(),
                        "ada",
                        START,
                        START);
        var world = new World();
        new ScheduleRegister(world).write(schedule);
        var kills = 0;
        while (kills < KILLS) {
            world.callsLeft = 1 + random.nextInt(7);
            world.isKilledBefore = random.nextBoolean();
            try {
                live(world, random.nextInt(5) + 1);
            } catch (Killed _) {
                kills++;
                world.now = world.now.plusSeconds(random.nextInt(outage));
            }
        }
        world.callsLeft = Integer.MAX_VALUE;
        live(world, 2000);

        var state = read(world).state();
        var ticks = schedule.timing().between(START, state.cursor(), 100_000);
        var jobs = world.jobs.keySet();
        assertThat(world.calls).hasSize(KILLS);
        assertThat(jobs)
                .as("policy %s, kills %s", policy, world.calls)
                .allMatch(key ->
                        ticks.contains(Instant.parse(key.substring(key.lastIndexOf('/') + 1))));
        if (overlap == Overlap.QUEUE || overlap == Overlap.ALLOW) {
            assertThat(jobs)
                    .as("policy %s, kills %s", policy, world.calls)
                    .containsExactlyElementsOf(
                            ticks.stream()
                                    .map(tick -> "schedule/id-" + seed + "/" + tick)
                                    .toList());
        }
        // What the schedule shows is what there is.
        for (var run : state.runs()) {
            var key = run.key("id-" + seed);
            assertThat(Optional.ofNullable(world.jobs.get(key))).as("%s", run).isEqualTo(run.job());
        }
    }

    private static ScheduleRegister.Kept read(World world) {
        var problems = new ArrayList<String>();
        var kept = new ScheduleRegister(world).read(problems::add).get("often");
        assertThat(problems).isEmpty();
        return Objects.requireNonNull(kept);
    }

    /// A process that wakes some times, from what is kept; jobs end after a while.
    private static void live(World world, int wakes) {
        var kept = read(world);
        var state = new ScheduleState[] {kept.state()};
        for (var i = 0; i < wakes; i++) {
            var _ =
                    new ScheduleTurn(
                                    kept.schedule(),
                                    state[0],
                                    world,
                                    () -> world.now,
                                    () -> false,
                                    next -> {
                                        new ScheduleRegister(world).write("often", next);
                                        state[0] = next;
                                    })
                            .run();
            state[0].runs().forEach(run -> run.job().ifPresent(world.ended::add));
            var next = ScheduleRules.wake(kept.schedule(), state[0]).orElseThrow();
            if (next.isAfter(world.now)) {
                world.now = ScheduleRules.isWaitingForEnds(state[0]) ? world.now : next;
            }
        }
    }
}
