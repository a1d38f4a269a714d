package dev.artel.engine.shell;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.engine.SampleJobs;
import dev.artel.engine.core.JobsInput;
import dev.artel.kernel.engine.CommandReply;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.store.EventStore;
import dev.artel.kernel.store.JobFolds;
import dev.artel.kernel.store.StoredEvents;
import dev.artel.kernel.store.StreamId;
import dev.artel.waits.Await;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class RecoveryTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final JobId FIRST = new JobId("first");
    private static final JobId POISON = new JobId("poison");
    private static final JobId LAST = new JobId("last");

    private final List<String> reports = new CopyOnWriteArrayList<>();
    private final Vitals vitals =
            new Vitals(new RecordingSupervision(reports), Duration.ofMillis(50));
    private final Unreadable unreadable = new Unreadable();

    @AfterEach
    void close() {
        vitals.close();
    }

    private final PendingReplies<CommandReply> pendingReplies = new PendingReplies<>();

    static Stream<Arguments> errors() {
        return Stream.of(
                Arguments.of(
                        new StackOverflowError(),
                        "its events are nested too deeply for the stack of a thread"),
                Arguments.of(
                        new NoClassDefFoundError("dev/acme/Seat"),
                        "a class that is needed to read it cannot be loaded:"
                                + " java.lang.NoClassDefFoundError: dev/acme/Seat"),
                Arguments.of(
                        new AssertionError("planted by the test"),
                        "reading it failed with java.lang.AssertionError: planted by the test"));
    }

    private Partition partition(EventStore store, StoreWriter writer) {
        return new Partition(
                "test",
                Long.MAX_VALUE,
                store,
                writer,
                pendingReplies,
                PartitionTest.receivers(unreadable));
    }

    private void recover(EventStore store) throws Exception {
        try (var writer = new StoreWriter(store)) {
            var partition = partition(store, writer);

            var recovery = new Recovery(unreadable, List.of(), vitals);
            recovery.recover(store, _ -> partition, _ -> {});
            recovery.await(List.of(partition));

            assertThat(partition.find(FIRST)).isPresent();
            assertThat(partition.find(POISON)).isEmpty();
            assertThat(partition.find(LAST)).isPresent();
        }
    }

    /// Trap: one open job for which reading ends with an error prevents the start of all.
    @ParameterizedTest
    @MethodSource("errors")
    void aJobWhoseReadingEndsWithAnError_isSetAside_andTheOthersAreTakenUp(
            Error error, String reason) throws Exception {
        recover(failingAtPoison(error));

        assertThat(unreadable.all()).containsExactly(new UnreadableJob(POISON, reason));
        assertThat(reports).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("virtualMachineErrors")
    void anErrorThatConcernsTheProcess_isReportedWithTheJob(Error error, String reason)
            throws Exception {
        recover(failingAtPoison(error));

        assertThat(reports).containsExactly("artel-recovery " + error + " [poison]");
        assertThat(unreadable.all()).containsExactly(new UnreadableJob(POISON, reason));
    }

    static Stream<Arguments> virtualMachineErrors() {
        return Stream.of(
                Arguments.of(
                        new OutOfMemoryError("Java heap space"),
                        "it does not fit into the memory of the orchestrator"),
                Arguments.of(
                        new InternalError("planted by the test"),
                        "reading it failed with java.lang.InternalError: planted by the test"));
    }

    /// Trap: a job that is read for a request ends the process, although it alone is concerned.
    @Test
    void aJobThatIsReadLater_isSetAsideAsWell() throws Exception {
        var store = failingAtPoison(new StackOverflowError());
        try (var writer = new StoreWriter(store)) {
            var partition = partition(store, writer);

            var reply =
                    pendingReplies.ask(
                            requestId ->
                                    partition.put(
                                            new JobsInput.Given(
                                                    POISON,
                                                    new JobCommand.Cancel("not needed", NOW),
                                                    requestId)),
                            Await.longest(),
                            () -> new CommandReply.Done(false));

            assertThat(reply)
                    .isInstanceOfSatisfying(
                            CommandReply.TryLater.class,
                            later -> assertThat(later.detail()).contains("nested too deeply"));
            await().untilAsserted(() ->
                    assertThat(unreadable.all())
                            .extracting(UnreadableJob::job)
                            .containsExactly(POISON));
        }
    }

    /// Trap: the start hangs forever, and no report names the place.
    @Test
    void aRecoveryThatHangs_isNamedWithItsStack() throws Exception {
        var goOn = new CountDownLatch(1);
        var store = readingPoisonBy(() -> hang(goOn));
        try (var writer = new StoreWriter(store)) {
            var partition = partition(store, writer);
            vitals.start();
            var start =
                    Thread.ofPlatform()
                            .start(() ->
                                    new Recovery(unreadable, List.of(), vitals)
                                            .recover(store, _ -> partition, _ -> {}));

            await().untilAsserted(() ->
                    assertThat(vitals.stuck())
                            .filteredOn(part -> part.part().equals("artel-recovery"))
                            .singleElement()
                            .satisfies(
                                    part -> assertThat(part.text()).contains("RecoveryTest.hang")));
            goOn.countDown();
            start.join();

            await().untilAsserted(() -> assertThat(vitals.stuck()).isEmpty());
            assertThat(partition.awaitRecovered(Await.longest())).isTrue();
            assertThat(partition.find(LAST)).isPresent();
        } finally {
            goOn.countDown();
        }
    }

    /// Trap: the start waits for a part that is stuck, and looks well.
    @Test
    void aRecoveryThatWaitsForWhatDoesNotProceed_isNamed() throws Exception {
        var begun = new CountDownLatch(1);
        var goOn = new CountDownLatch(1);
        var store = readingPoisonBy(() -> {});
        try (var writer = new StoreWriter(store);
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var partition =
                    new Partition(
                            "test",
                            Long.MAX_VALUE,
                            store,
                            writer,
                            pendingReplies,
                            PartitionTest.receivers(
                                    unreadable,
                                    _ -> {
                                        begun.countDown();
                                        hang(goOn);
                                    }));
            var recovery = new Recovery(unreadable, List.of(), vitals);
            recovery.recover(store, _ -> partition, _ -> {});
            recovery.await(List.of(partition));
            vitals.start();

            var hanging = threads.submit(() -> partition.put(new JobsInput.Repeat(FIRST)));
            begun.await();
            partition.recover(new JobsInput.Recovered(SampleJobs.submitted("late", NOW), 1), 0);
            var waiting = threads.submit(() -> recovery.await(List.of(partition)));

            await().untilAsserted(() ->
                    assertThat(vitals.stuck())
                            .filteredOn(part -> part.part().equals("artel-recovery"))
                            .singleElement()
                            .satisfies(part ->
                                    assertThat(part.text()).contains("Partition.awaitRecovered")));
            goOn.countDown();
            waiting.get(Await.seconds(), TimeUnit.SECONDS);
            hanging.get(Await.seconds(), TimeUnit.SECONDS);
            assertThat(partition.find(new JobId("late"))).isPresent();
        } finally {
            goOn.countDown();
        }
    }

    /// Trap: each job that is read is in memory at once while its partition is behind: a few large ones fill the heap at each start.
    @Test
    void largeJobs_waitUntilThoseBeforeThemAreTakenUp() throws Exception {
        var begun = new CountDownLatch(1);
        var goOn = new CountDownLatch(1);
        var store = readingPoisonBy(() -> {});
        try (var writer = new StoreWriter(store);
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var partition =
                    new Partition(
                            "test",
                            1 << 20,
                            store,
                            writer,
                            pendingReplies,
                            PartitionTest.receivers(
                                    unreadable,
                                    _ -> {
                                        begun.countDown();
                                        hang(goOn);
                                    }));
            partition.recover(new JobsInput.Recovered(SampleJobs.submitted("a", NOW), 1), 0);
            var hanging = threads.submit(() -> partition.put(new JobsInput.Repeat(new JobId("a"))));
            begun.await();

            partition.recover(new JobsInput.Recovered(SampleJobs.submitted("b", NOW), 1), 700_000);
            var second =
                    threads.submit(() ->
                            partition.recover(
                                    new JobsInput.Recovered(SampleJobs.submitted("c", NOW), 1),
                                    700_000));
            await().until(partition::hasRecoveringThatWait);
            goOn.countDown();

            second.get(Await.seconds(), TimeUnit.SECONDS);
            hanging.get(Await.seconds(), TimeUnit.SECONDS);
            assertThat(partition.awaitRecovered(Duration.ofSeconds(Await.seconds()))).isTrue();
            assertThat(partition.recovering()).isZero();
        } finally {
            goOn.countDown();
        }
    }

    /// Trap: memory runs out in a thread that has nothing to do with the job that is read, which ends each start, and no report names the job.
    @Test
    void theJobThatIsRead_isNamed_whicheverThreadMissesMemory() throws Exception {
        var recovery = new AtomicReference<Recovery>();
        var named = new ArrayList<Supervision.RunningHandler>();
        var store =
                readingPoisonBy(() -> {
                    var large = new byte[8 << 20];
                    named.addAll(recovery.get().beside(none()).greediest().stream().toList());
                    assertThat(large).isNotEmpty();
                });
        try (var writer = new StoreWriter(store)) {
            var partition = partition(store, writer);
            recovery.set(new Recovery(unreadable, List.of(), vitals));
            recovery.get().recover(store, _ -> partition, _ -> {});
        }

        assertThat(named)
                .singleElement()
                .satisfies(
                        it -> assertThat(it.job()).isEqualTo(POISON),
                        it -> assertThat(it.allocated()).isGreaterThanOrEqualTo(8 << 20));
        assertThat(recovery.get().beside(none()).greediest()).isEmpty();
    }

    private static Supervision.Handlers none() {
        return new Supervision.Handlers() {
            @Override
            public Optional<Supervision.RunningHandler> greediest() {
                return Optional.empty();
            }

            @Override
            public List<Supervision.RunningHandler> running() {
                return List.of();
            }

            @Override
            public List<JobId> exiting() {
                return List.of();
            }
        };
    }

    private static void hang(CountDownLatch goOn) {
        try {
            assertThat(goOn.await(Await.seconds(), TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    private static EventStore failingAtPoison(Error error) {
        return readingPoisonBy(() -> {
            throw error;
        });
    }

    /// A store with three open jobs, where reading [#POISON] does `first` before it.
    private static EventStore readingPoisonBy(Runnable first) {
        var tails =
                Stream.of(FIRST, POISON, LAST)
                        .map(job ->
                                new EventStore.OpenTail(job, Optional.empty(), Optional.empty()))
                        .toList();
        return (EventStore)
                Proxy.newProxyInstance(
                        EventStore.class.getClassLoader(),
                        new Class<?>[] {EventStore.class},
                        (_, method, arguments) ->
                                switch (method.getName()) {
                                    case "folds" -> JobFolds.NONE;
                                    case "openTails" ->
                                            new EventStore.OpenTails(tails, OptionalLong.empty());
                                    case "page" -> {
                                        if (((StreamId) arguments[0]).equals(StreamId.of(POISON))) {
                                            first.run();
                                        }
                                        var submitted =
                                                new JobEvent.JobSubmitted(SampleJobs.SPEC, NOW);
                                        yield new EventStore.EventPage(
                                                List.of(new StoredEvents(1, 1, List.of(submitted))),
                                                true);
                                    }
                                    default ->
                                            throw new UnsupportedOperationException(
                                                    method.getName());
                                });
    }
}
