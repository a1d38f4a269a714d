package dev.artel.engine.shell;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.engine.SampleJobs;
import dev.artel.engine.core.PendingAppend.Outcome;
import dev.artel.kernel.job.Decision;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.JobState;
import dev.artel.kernel.job.Jobs;
import dev.artel.kernel.store.Append;
import dev.artel.kernel.store.AppendResult;
import dev.artel.kernel.store.EventStore;
import dev.artel.kernel.store.JobRow;
import dev.artel.kernel.store.StoreException;
import dev.artel.kernel.store.StoredEvents;
import dev.artel.kernel.store.StreamId;
import dev.artel.waits.Await;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class StoreWriterTest {
    private final Disk disk = new Disk();

    /// Trap: the store counts as full until something is written, and nothing is since it counts as full.
    @Test
    void roomIsNoticed_thoughNobodyWrites() throws Exception {
        disk.always = new StoreException.StoreFull("appending: no room", null);
        try (var writer = new StoreWriter(disk.store())) {
            assertThat(write(writer, "j").get(Await.seconds(), TimeUnit.SECONDS))
                    .isInstanceOf(Outcome.Failed.class);
            assertThat(writer.isFull()).isTrue();
            assertThat(writer.obstacle()).get().asString().startsWith("the store has no room");

            disk.always = null;
            await().until(() -> !writer.isFull());
            assertThat(writer.obstacle()).isEmpty();
        }
    }

    /// Trap: an error ends the writer's thread, nothing becomes durable any more, and everything looks well.
    @Test
    void anErrorOfTheStore_isReported_withTheJob_andTheWriterGoesOn() throws Exception {
        var reports = new ArrayList<String>();
        disk.error = new OutOfMemoryError("Java heap space");
        try (var writer =
                new StoreWriter(
                        disk.store(),
                        new Vitals(new RecordingSupervision(reports), Duration.ofMinutes(1)))) {
            assertThat(write(writer, "j").get(Await.seconds(), TimeUnit.SECONDS))
                    .isInstanceOf(Outcome.Failed.class);
            assertThat(reports)
                    .containsExactly(
                            "artel-store-writer java.lang.OutOfMemoryError: Java heap space [j]");

            disk.error = null;
            assertThat(write(writer, "k").get(Await.seconds(), TimeUnit.SECONDS))
                    .isEqualTo(new Outcome.Durable());
        }
    }

    @Test
    void aBusyStore_isGivenTheSameAppendAgain() throws Exception {
        var busy = new StoreException.StoreUnavailable("appending: the database is locked", null);
        disk.next.addAll(List.of(busy, busy, busy));
        try (var writer = new StoreWriter(disk.store())) {
            assertThat(write(writer, "j").get(Await.seconds(), TimeUnit.SECONDS))
                    .isEqualTo(new Outcome.Durable());
        }

        assertThat(disk.attempts).hasSize(4).containsOnly(List.of(append("j")));
        assertThat(disk.streams.get("j")).hasSize(1);
    }

    @Test
    void anAppendThatGotThroughUnanswered_isDurable_andWrittenOnce() throws Exception {
        disk.silent = true;
        try (var writer = new StoreWriter(disk.store())) {
            assertThat(write(writer, "j").get(Await.seconds(), TimeUnit.SECONDS))
                    .isEqualTo(new Outcome.Durable());
        }

        assertThat(disk.attempts).hasSize(2);
        assertThat(disk.streams.get("j")).hasSize(1);
    }

    @Test
    void aStoreThatTakesNothingForLong_isAnObstacle_withItsReason_andLeavesNothingBehind()
            throws Exception {
        disk.always =
                new StoreException.StoreUnavailable("appending: the database is locked", null);
        try (var writer = new StoreWriter(disk.store())) {
            var outcome = write(writer, "j");

            await().until(() -> writer.obstacle().isPresent());
            assertThat(writer.obstacle()).get().asString().contains("the database is locked");
            assertThat(outcome).isNotDone();

            disk.always = null;
            assertThat(outcome.get(Await.seconds(), TimeUnit.SECONDS))
                    .isEqualTo(new Outcome.Durable());
            await().until(() -> writer.obstacle().isEmpty());
        }
    }

    /// Trap: the labels of a thousand jobs are indexed in one commit when they are closed, and nothing of others becomes durable for seconds.
    @Test
    void appendsWhoseLabelsAreIndexed_goAFewWithEachCommit_byTurnsOfClients() throws Exception {
        try (var writer = new StoreWriter(disk.store())) {
            disk.hold();
            var first = write(writer, "first");
            await().until(disk.gate::hasQueuedThreads);
            var outcomes = new ArrayList<CompletableFuture<Outcome>>();
            for (var i = 0; i < 10; i++) {
                outcomes.add(write(writer, labelled("eve-" + i, "eve")));
            }
            outcomes.add(write(writer, labelled("bob", "bob")));
            outcomes.add(write(writer, "light"));
            disk.release();
            assertThat(first.get(Await.seconds(), TimeUnit.SECONDS))
                    .isEqualTo(new Outcome.Durable());
            for (var outcome : outcomes) {
                assertThat(outcome.get(Await.seconds(), TimeUnit.SECONDS))
                        .isEqualTo(new Outcome.Durable());
            }
        }

        assertThat(disk.attempts.stream().map(StoreWriterTest::ids).skip(1))
                .containsExactly(
                        List.of("light", "eve-0", "bob"),
                        List.of("eve-1", "eve-2"),
                        List.of("eve-3", "eve-4"),
                        List.of("eve-5", "eve-6"),
                        List.of("eve-7", "eve-8"),
                        List.of("eve-9"));
    }

    private static List<String> ids(List<Append> appends) {
        return appends.stream().map(append -> append.row().id().value()).toList();
    }

    /// With labels of half as many characters as go with one commit.
    private static Append labelled(String job, String client) {
        var append = append(job);
        var row = append.row();
        var labels = new LinkedHashMap<String, String>();
        labels.put("note", "x".repeat(HeavyAppends.MOST / 2));
        return new Append(
                append.stream(),
                append.expected(),
                append.events(),
                new JobRow(
                        row.id(),
                        row.blueprint(),
                        client,
                        row.state(),
                        row.status(),
                        row.closed(),
                        row.priority(),
                        labels,
                        row.submitted(),
                        row.updated(),
                        row.error(),
                        row.parent()));
    }

    @Test
    void anEntryThatBreaksTheStore_failsNoOther() throws Exception {
        disk.poison = "b";
        try (var writer = new StoreWriter(disk.store())) {
            disk.hold();
            var first = write(writer, "first");
            var outcomes = List.of(write(writer, "a"), write(writer, "b"), write(writer, "c"));
            disk.release();
            assertThat(first.get(Await.seconds(), TimeUnit.SECONDS))
                    .isEqualTo(new Outcome.Durable());

            assertThat(outcomes.get(0).get(Await.seconds(), TimeUnit.SECONDS))
                    .isEqualTo(new Outcome.Durable());
            assertThat(outcomes.get(1).get(Await.seconds(), TimeUnit.SECONDS))
                    .isInstanceOf(Outcome.Failed.class);
            assertThat(outcomes.get(2).get(Await.seconds(), TimeUnit.SECONDS))
                    .isEqualTo(new Outcome.Durable());
        }
    }

    /// Trap: of what was appended without an answer one stream cannot be read, and its neighbours are given their outcome a second time,
    /// while they have the next append in work.
    @Test
    void aStreamThatCannotBeCompared_failsAlone_andNobodyHearsTwice() throws Exception {
        disk.silentWith = "b";
        disk.unreadable = "b";
        var heard = new ArrayList<Outcome>();
        try (var writer = new StoreWriter(disk.store())) {
            disk.hold();
            var first = write(writer, "first");
            await().until(disk.gate::hasQueuedThreads);
            writer.write(append("a"), heard::add);
            var outcome = write(writer, "b");
            disk.release();

            assertThat(outcome.get(Await.seconds(), TimeUnit.SECONDS))
                    .isInstanceOf(Outcome.Failed.class);
            assertThat(first).isDone();
            assertThat(write(writer, "next").get(Await.seconds(), TimeUnit.SECONDS))
                    .isEqualTo(new Outcome.Durable());
        }

        assertThat(heard).containsExactly(new Outcome.Durable());
        assertThat(disk.attempts).hasSize(4);
    }

    private static CompletableFuture<Outcome> write(StoreWriter writer, String job) {
        return write(writer, append(job));
    }

    private static CompletableFuture<Outcome> write(StoreWriter writer, Append append) {
        var outcome = new CompletableFuture<Outcome>();
        writer.write(append, outcome::complete);
        return outcome;
    }

    private static Append append(String name) {
        var now = Instant.parse("2026-01-01T00:00:00Z");
        var job = new JobId(name);
        var before = new JobState.Unsubmitted(job);
        var accepted =
                (Decision.Accepted)
                        Jobs.decide(before, new JobCommand.Submit(SampleJobs.SPEC, now));
        var after = (Job) Jobs.evolve(before, accepted.events()).after();
        return new Append(StreamId.of(job), 0, accepted.events(), JobRow.of(after, now));
    }

    /// A store that fails as a test wants it.
    private static final class Disk {
        private final List<List<Append>> attempts = new ArrayList<>();
        private final Map<String, List<StoredEvents>> streams = new LinkedHashMap<>();
        private final Queue<RuntimeException> next = new ArrayDeque<>();
        private final Semaphore gate = new Semaphore(1);
        private volatile @Nullable RuntimeException always;
        private volatile @Nullable Error error;
        private volatile boolean silent;
        private volatile String silentWith = "";
        private volatile String unreadable = "";
        private volatile String poison = "";

        void hold() {
            gate.acquireUninterruptibly();
        }

        void release() {
            gate.release();
        }

        EventStore store() {
            return (EventStore)
                    Proxy.newProxyInstance(
                            EventStore.class.getClassLoader(),
                            new Class<?>[] {EventStore.class},
                            (_, method, arguments) ->
                                    switch (method.getName()) {
                                        case "append" ->
                                                append(
                                                        ((List<?>) arguments[0])
                                                                .stream()
                                                                        .map(Append.class::cast)
                                                                        .toList());
                                        case "read" -> read(((StreamId) arguments[0]).id());
                                        default ->
                                                throw new UnsupportedOperationException(
                                                        method.getName());
                                    });
        }

        private List<StoredEvents> read(String stream) {
            if (stream.equals(unreadable)) {
                throw new StoreException.StoreCorrupt("reading: a page makes no sense", null);
            }
            return streams.getOrDefault(stream, List.of());
        }

        private List<AppendResult> append(List<Append> batch) {
            gate.acquireUninterruptibly();
            gate.release();
            if (!batch.isEmpty()) {
                attempts.add(batch);
            }
            var died = error;
            if (died != null) {
                throw died;
            }
            var failure = always != null ? always : next.poll();
            if (failure != null) {
                throw failure;
            }
            if (batch.stream().anyMatch(append -> append.stream().id().equals(poison))) {
                throw new StoreException.StoreCorrupt("appending: a page makes no sense", null);
            }
            var results = batch.stream().map(this::appendOne).toList();
            if (silent
                    || batch.stream().anyMatch(append -> append.stream().id().equals(silentWith))) {
                silent = false;
                silentWith = "";
                throw new StoreException.StoreUnavailable("appending: no answer", null);
            }
            return results;
        }

        private AppendResult appendOne(Append append) {
            var stream = streams.computeIfAbsent(append.stream().id(), _ -> new ArrayList<>());
            if (!stream.isEmpty()) {
                return new AppendResult.VersionConflict(append.events().size());
            }
            stream.add(new StoredEvents(1, 1, append.events()));
            return new AppendResult.Appended(1);
        }
    }
}
