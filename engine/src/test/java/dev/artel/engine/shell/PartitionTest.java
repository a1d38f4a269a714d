package dev.artel.engine.shell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.engine.SampleJobs;
import dev.artel.engine.core.CoordinatorInput;
import dev.artel.engine.core.Definitions;
import dev.artel.engine.core.JobsInput;
import dev.artel.json.JsonValue;
import dev.artel.kernel.engine.CommandReply;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.store.EventStore;
import dev.artel.kernel.store.JobFolds;
import dev.artel.kernel.store.PayloadStore;
import dev.artel.kernel.store.StoredEvents;
import dev.artel.kernel.store.UnavailableKeyValueStore;
import dev.artel.kernel.task.Payload;
import dev.artel.waits.Await;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class PartitionTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final Duration LONGEST = Await.longest();
    private static final int MANY = 3_000;
    private static final JobId JOB = new JobId("j");

    private final PendingReplies<CommandReply> pendingReplies = new PendingReplies<>();

    /// Trap: the thread that reads the job dies of them, and the callers that ask for the job never get an answer.
    @Test
    void eventsThatMakeNoSense_areReported() throws Exception {
        var store =
                reading(
                        new JobEvent.JobSubmitted(SampleJobs.SPEC, NOW),
                        new JobEvent.TasksWithdrawn(17, NOW));
        try (var writer = new StoreWriter(store)) {
            var partition =
                    new Partition(
                            "test", 10, store, writer, pendingReplies, receivers(new Unreadable()));

            var reply =
                    pendingReplies.ask(
                            requestId ->
                                    partition.put(new JobsInput.Given(JOB, cancel(), requestId)),
                            LONGEST,
                            () -> new CommandReply.Done(false));

            assertThat(reply)
                    .isInstanceOfSatisfying(
                            CommandReply.TryLater.class,
                            later ->
                                    assertThat(later.detail())
                                            .isEqualTo(
                                                    "job j cannot be read: its events are"
                                                            + " inconsistent"));
        }
    }

    /// Trap: workers ask while the leases that live do not count yet, and get more than limits allow.
    @Test
    void whoWaitsForTheRecovery_findsAllThatWasAskedFor() {
        var store = reading();
        try (var writer = new StoreWriter(store)) {
            var partition =
                    new Partition(
                            "test",
                            Long.MAX_VALUE,
                            store,
                            writer,
                            pendingReplies,
                            receivers(new Unreadable()));
            for (var i = 0; i < MANY; i++) {
                partition.recover(
                        new JobsInput.Recovered(SampleJobs.submitted("j" + i, NOW), 1), 0);
            }

            assertThat(partition.awaitRecovered(LONGEST)).isTrue();

            assertThat(IntStream.range(0, MANY).mapToObj(i -> partition.find(new JobId("j" + i))))
                    .allMatch(Optional::isPresent);
        }
    }

    private static JobCommand cancel() {
        return new JobCommand.Cancel("not needed", NOW);
    }

    static Partition.Receivers receivers(Unreadable unreadable) {
        return receivers(unreadable, _ -> {});
    }

    static Partition.Receivers receivers(
            Unreadable unreadable, Consumer<CoordinatorInput> coordinator) {
        var clock = InstantSource.fixed(NOW);
        var missing = new MissingDefinitions(new Blueprints(), _ -> {});
        var children =
                new ChildRelay(
                        new Blueprints(),
                        _ -> new InitialDataChecks.Finding.Checked(List.of()),
                        new ChildRelay.Values(new LargeValues(none()), _ -> JobRoom.Share.ALONE),
                        clock,
                        noPost(),
                        (options, _) -> options,
                        _ -> false,
                        missing,
                        new StandingPauses(new UnavailableKeyValueStore()));
        return new Partition.Receivers(
                coordinator,
                noSteps(),
                children,
                new WebhookRelay(clock, (_, _) -> {}),
                missing,
                Definitions.NONE,
                _ -> {},
                new Vitals(Supervision.LOG_ONLY, Duration.ofMinutes(1)),
                unreadable,
                (_, _) -> {});
    }

    private static ChildRelay.Post noPost() {
        return new ChildRelay.Post() {
            @Override
            public void send(JobId job, JobCommand command) {
                throw new AssertionError(command);
            }

            @Override
            public void ask(JobId job, JobCommand command, Consumer<CommandReply> onReply) {
                throw new AssertionError(command);
            }
        };
    }

    private static Partition.StepStarter noSteps() {
        return new Partition.StepStarter() {
            @Override
            public void start(Job job, Effect.RunStep step) {
                throw new AssertionError(step);
            }

            @Override
            public void startAhead(
                    Job job, Effect.RunStep step, Consumer<Optional<JobCommand>> onResult) {
                throw new AssertionError(step);
            }
        };
    }

    private static PayloadStore none() {
        return new AllInline() {
            @Override
            public Payload keep(JsonValue value) {
                throw new AssertionError(value);
            }
        };
    }

    /// A store that has these events, and takes none.
    private static EventStore reading(JobEvent... events) {
        return (EventStore)
                Proxy.newProxyInstance(
                        EventStore.class.getClassLoader(),
                        new Class<?>[] {EventStore.class},
                        (_, method, _) -> {
                            if (method.getName().equals("folds")) {
                                return JobFolds.NONE;
                            }
                            if (!method.getName().equals("page")) {
                                throw new UnsupportedOperationException(method.getName());
                            }
                            return new EventStore.EventPage(
                                    List.of(new StoredEvents(1, 1, List.of(events))), true);
                        });
    }
}
