package dev.artel.e2e.kill;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.blueprint.BlueprintProvider;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.waits.Await;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Promise G12, with real processes: the orchestrator is killed while it decides about ticks and submits their jobs.
@Tag("kill")
@Tag("long")
final class KilledSchedulesTest {
    private static final int KILLS =
            Math.max(5, Integer.parseInt(System.getenv().getOrDefault("ARTEL_KILLS", "10")) / 4);

    private static final String CRON = "each-second";
    private static final String INTERVAL = "each-half";
    private static final String BY_HAND = "by-hand";

    private static final int KILLS_BETWEEN_REQUESTS = 5;

    /// A kill may hit each request, until there is none for a moment.
    private static final Duration LONGEST_WITH_KILLS =
            Await.longest().multipliedBy(KILLS_BETWEEN_REQUESTS);

    /// Between the ticks of the cron expression.
    private static final Instant ANCHOR = Instant.parse("2026-01-01T00:00:00.500Z");

    @TempDir Path folder;

    /// The policies promise each tick a job, however late.
    @Test
    void eachTick_hasExactlyOneJob_howeverOftenTheOrchestratorIsKilledAtIt() throws Exception {
        var seed = Long.getLong("seed", System.nanoTime());
        var random = new SplittableRandom(seed);
        var over = new AtomicBoolean();
        var acknowledged = new AtomicInteger();
        BlueprintJar.write(
                folder.resolve("data"), Map.of(BlueprintProvider.class, TickFunctions.class));
        try (var orchestrator = new Orchestrator(folder);
                var persons = Executors.newVirtualThreadPerTaskExecutor();
                AutoCloseable _ = () -> over.set(true)) {
            var cron = JsonObject.of("cron", JsonValue.of("* * * * * *"));
            var interval =
                    JsonObject.of(
                            "every_seconds",
                            JsonValue.of(1),
                            "anchor",
                            JsonValue.of(ANCHOR.toString()));
            var once = JsonObject.of("at", JsonValue.of("2099-01-01T00:00:00Z"));
            var began = write(orchestrator, CRON, cron, "allow", Optional.empty());
            var beganInterval = write(orchestrator, INTERVAL, interval, "queue", Optional.empty());
            write(orchestrator, BY_HAND, once, "skip", Optional.empty());
            var requests = persons.submit(() -> request(orchestrator, acknowledged, over));

            for (var kill = 0; kill < KILLS; kill++) {
                // A kill around a tick, or while the ticks that were missed are run, is what the
                // test is about.
                LockSupport.parkUntil(
                        (random.nextBoolean() ? nextTick() : Instant.now())
                                .plusMillis(random.nextLong(-15, 120))
                                .toEpochMilli());
                orchestrator.killAndRestart();
                if (kill % KILLS_BETWEEN_REQUESTS == 0) {
                    // However slow the machine is, there are some of them before and between the
                    // kills.
                    var before = acknowledged.get();
                    Await.await("a run by hand is acknowledged")
                            .until(() -> acknowledged.get() > before);
                }
            }
            over.set(true);
            requests.get(LONGEST_WITH_KILLS.toSeconds(), TimeUnit.SECONDS);
            // Late enough that both schedules have it before it comes, however slow the machine is.
            var end = Instant.now().truncatedTo(ChronoUnit.SECONDS).plusMillis(15_250);
            write(orchestrator, CRON, cron, "allow", Optional.of(end));
            write(orchestrator, INTERVAL, interval, "queue", Optional.of(end));

            var seconds = ticks(began.truncatedTo(ChronoUnit.SECONDS), began, end);
            var halves =
                    ticks(
                            beganInterval.truncatedTo(ChronoUnit.SECONDS).plusMillis(-500),
                            beganInterval,
                            end);
            assertThat(ticksOfJobs(orchestrator, CRON, seconds.size()))
                    .as("%d kills, -Dseed=%d", KILLS, seed)
                    .containsExactlyElementsOf(seconds)
                    .hasSizeGreaterThan(KILLS);
            assertThat(ticksOfJobs(orchestrator, INTERVAL, halves.size()))
                    .as("%d kills, -Dseed=%d", KILLS, seed)
                    .containsExactlyElementsOf(halves);
            assertThat(ticksOfJobs(orchestrator, BY_HAND, acknowledged.get()))
                    .as("%d kills, -Dseed=%d", KILLS, seed)
                    .hasSize(acknowledged.get());
        }
    }

    /// Runs at once, each asked for under one key until it is acknowledged.
    private static @Nullable Void request(
            Orchestrator orchestrator, AtomicInteger acknowledged, AtomicBoolean over)
            throws InterruptedException {
        while (!over.get()) {
            var key = UUID.randomUUID().toString();
            Await.await("a run by hand is acknowledged")
                    .atMost(LONGEST_WITH_KILLS)
                    .pollInterval(Duration.ofMillis(20))
                    .until(() -> orchestrator.run(BY_HAND, key));
            acknowledged.incrementAndGet();
            // Once more the same: whether it arrives or not, it is one run.
            var _ = orchestrator.run(BY_HAND, key);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200));
        }
        return null;
    }

    private static Instant nextTick() {
        var half = Instant.now().toEpochMilli() / 500;
        return Instant.ofEpochMilli((half + 1) * 500);
    }

    /// Writes a schedule down.
    ///
    /// @param end of its ticks
    /// @return since when it has ticks
    private static Instant write(
            Orchestrator orchestrator,
            String name,
            JsonObject timing,
            String overlap,
            Optional<Instant> end)
            throws Exception {
        var body =
                JsonObject.builder()
                        .put("blueprint", TickFunctions.NAME)
                        .put("timing", timing)
                        .put("overlap", overlap)
                        .put("queue_limit", JsonValue.of(1000))
                        .put("catch_up", "all")
                        .put("catch_up_limit", JsonValue.of(1000));
        end.ifPresent(it -> body.put("ends_at", it.toString()));
        return Instant.parse(
                orchestrator
                        .write("/api/v1/schedules/" + name, body.build())
                        .string("created_at")
                        .orElseThrow());
    }

    /// Each second from `first` that is after `began` and not after `end`.
    private static List<String> ticks(Instant first, Instant began, Instant end) {
        return Stream.iterate(first, tick -> !tick.isAfter(end), tick -> tick.plusSeconds(1))
                .filter(began::isBefore)
                .map(Instant::toString)
                .toList();
    }

    /// The ticks of the jobs of a schedule, in their order, once all runs are over and so many jobs have finished.
    private static List<String> ticksOfJobs(Orchestrator orchestrator, String name, int expected) {
        var progress = TickProgress.NONE;
        while (!progress.isOver(expected)) {
            // Runs that wait for each other take as long together as they are many.
            var before = progress.finished();
            progress =
                    Await.await("more than %d jobs of schedule %s".formatted(before, name))
                            .until(
                                    () -> TickProgress.of(orchestrator, name),
                                    it -> it.finished() > before || it.isOver(expected));
        }
        return progress.jobs().values().stream()
                .map(job ->
                        job.object("labels")
                                .flatMap(it -> it.string("schedule_tick"))
                                .orElseThrow())
                .sorted(Comparator.comparing(Instant::parse))
                .toList();
    }

    /// How far a schedule has come.
    ///
    /// @param isPending whether runs wait
    private record TickProgress(boolean isPending, Map<String, JsonObject> jobs) {
        static final TickProgress NONE = new TickProgress(true, Map.of());

        static TickProgress of(Orchestrator orchestrator, String name) throws Exception {
            // First the runs: what waits now may have a job by the time that they are read.
            var isPending = KilledSchedulesTest.isPending(orchestrator, name);
            return new TickProgress(isPending, KilledSchedulesTest.jobs(orchestrator, name));
        }

        long finished() {
            return jobs.values().stream().filter(KilledSchedulesTest::isFinished).count();
        }

        boolean isOver(int expected) {
            return !isPending && jobs.size() >= expected && finished() == jobs.size();
        }
    }

    private static boolean isPending(Orchestrator orchestrator, String name) throws Exception {
        return orchestrator
                .read("/api/v1/schedules/" + name + "/runs?limit=1000")
                .array("items")
                .orElseThrow()
                .stream()
                .map(JsonObject.class::cast)
                .anyMatch(run ->
                        run.string("status")
                                .filter(List.of("due", "queued")::contains)
                                .isPresent());
    }

    private static boolean isFinished(JsonObject job) {
        return job.string("status").equals(Optional.of("finished"));
    }

    /// All jobs of a schedule, by their ids.
    private static Map<String, JsonObject> jobs(Orchestrator orchestrator, String name)
            throws Exception {
        var jobs = new LinkedHashMap<String, JsonObject>();
        var cursor = Optional.of("");
        while (cursor.isPresent()) {
            var page =
                    orchestrator.read(
                            "/api/v1/jobs?limit=1000&label.schedule="
                                    + name
                                    + cursor.filter(it -> !it.isEmpty())
                                            .map(it -> "&cursor=" + it)
                                            .orElse(""));
            for (var job : page.array("items").orElseThrow()) {
                jobs.put(((JsonObject) job).string("id").orElseThrow(), (JsonObject) job);
            }
            cursor = page.string("next_cursor");
        }
        return jobs;
    }
}
