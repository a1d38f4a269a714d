package dev.artel.engine.shell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.engine.SampleJobs;
import dev.artel.json.JsonObject;
import dev.artel.kernel.branch.JoinPolicy;
import dev.artel.kernel.job.Decision;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.JobState;
import dev.artel.kernel.job.Jobs;
import dev.artel.kernel.store.EventStore;
import dev.artel.kernel.store.JobFolds;
import dev.artel.kernel.store.JobRow;
import dev.artel.kernel.store.StoredEvents;
import dev.artel.kernel.task.TaskSpec;
import java.lang.ref.Reference;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

final class SharedFoldsTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final JobId ID = new JobId("j");

    private boolean isThere = true;

    /// How many tasks the job has.
    private int tasks;

    /// Trap: each of those who read a large job has one of its own in memory.
    @Test
    void thoseWhoReadAJobAtTheSameTime_haveTheSameOne() throws Exception {
        var folds = new SharedFolds(store(), 1);
        try (var readers = Executors.newFixedThreadPool(4)) {
            Callable<JobState> read = () -> folds.of(ID);

            var found =
                    readers.invokeAll(Collections.nCopies(40, read)).stream()
                            .map(SharedFoldsTest::get);

            assertThat(found.distinct())
                    .singleElement()
                    .extracting(Reread::state)
                    .isInstanceOf(Job.class);
        }
    }

    /// Trap: a job of a hundred thousand tasks has three events, and each reader has one of its own.
    @Test
    void aJobOfManyTasks_isSharedAsOneOfManyEvents() {
        tasks = 20;
        var folds = new SharedFolds(store(), 20);

        var first = folds.of(ID);

        assertThat(new Reread(folds.of(ID))).isEqualTo(new Reread(first));
        tasks = 10;
        var few = new SharedFolds(store(), 20);
        var small = few.of(ID);
        assertThat(new Reread(few.of(ID))).isNotEqualTo(new Reread(small));
    }

    private static Reread get(Future<JobState> read) {
        try {
            return new Reread(read.get());
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /// Is the same for the same object alone.
    @SuppressWarnings("ReferenceEquality")
    private record Reread(JobState state) {
        @Override
        public boolean equals(Object other) {
            return other instanceof Reread(var its) && its == state;
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(state);
        }
    }

    /// Trap: a job that was removed is still found, because a reader has it.
    @Test
    void aJobThatWasRemoved_isNotThere_althoughAReaderHasIt() {
        var folds = new SharedFolds(store(), 1);
        var before = folds.of(ID);
        try {
            isThere = false;

            assertThat(folds.of(ID)).isEqualTo(new JobState.Unsubmitted(ID));
        } finally {
            Reference.reachabilityFence(before);
        }
    }

    private EventStore store() {
        return (EventStore)
                Proxy.newProxyInstance(
                        EventStore.class.getClassLoader(),
                        new Class<?>[] {EventStore.class},
                        (_, method, arguments) ->
                                switch (method.getName()) {
                                    case "folds" -> JobFolds.NONE;
                                    case "find" ->
                                            isThere
                                                    ? Optional.of(JobRow.of((Job) job(), NOW))
                                                    : Optional.empty();
                                    case "page" ->
                                            new EventStore.EventPage(
                                                    isThere && (Long) arguments[1] == 0
                                                            ? submitted()
                                                            : List.of(),
                                                    true);
                                    default ->
                                            throw new UnsupportedOperationException(
                                                    method.getName());
                                });
    }

    private static JobState job() {
        return SampleJobs.submitted(ID.value(), NOW);
    }

    private List<StoredEvents> submitted() {
        var submit = new JobCommand.Submit(SampleJobs.SPEC, NOW);
        if (!(Jobs.decide(new JobState.Unsubmitted(ID), submit)
                instanceof Decision.Accepted accepted)) {
            return List.of();
        }
        var events = new ArrayList<>(accepted.events());
        if (tasks > 0) {
            events.add(
                    new JobEvent.TasksOpened(
                            0,
                            Collections.nCopies(tasks, TaskSpec.of("work", JsonObject.EMPTY)),
                            1,
                            JoinPolicy.ALL,
                            "end",
                            Optional.empty(),
                            NOW));
        }
        return List.of(new StoredEvents(1, 1, events));
    }
}
