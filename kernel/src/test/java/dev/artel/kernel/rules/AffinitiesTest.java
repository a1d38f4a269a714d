package dev.artel.kernel.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonObject;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.job.PersistentVector;
import dev.artel.kernel.job.Task;
import dev.artel.kernel.placement.Affinity;
import dev.artel.kernel.task.Payload;
import dev.artel.kernel.task.TaskSpec;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class AffinitiesTest {
    private static final WorkerId ANNA = new WorkerId("anna");
    private static final WorkerId BERT = new WorkerId("bert");
    private static final TaskSpec PLAIN = TaskSpec.of("work", JsonObject.EMPTY);

    private static Task task(int id, Task.State state) {
        return new Task(
                id,
                0,
                PLAIN,
                Instant.EPOCH,
                state,
                List.of(),
                List.of(),
                0,
                Optional.empty(),
                List.of());
    }

    private static Task.State doneBy(WorkerId worker) {
        return new Task.Succeeded(new LeaseToken("t"), worker, 1, "success", Payload.EMPTY);
    }

    /// Task 0 was done by anna, task 1 by bert, task 2 by nobody.
    private static Affinities affinities() {
        return new Affinities(
                PersistentVector.<Task>empty()
                        .append(task(0, doneBy(ANNA)))
                        .append(task(1, doneBy(BERT)))
                        .append(task(2, new Task.Cancelled())));
    }

    private static Affinity settled(TaskSpec spec) {
        return affinities().settle(spec).demand().preferences().affinity().orElseThrow();
    }

    @Test
    void theWorkerOfTheNamedTask_isNoted() {
        assertThat(settled(PLAIN.demanding(it -> it.near(0))))
                .isEqualTo(new Affinity(0, false, Optional.of(ANNA)));
        assertThat(settled(PLAIN.demanding(it -> it.sameWorkerAs(1))))
                .isEqualTo(new Affinity(1, true, Optional.of(BERT)));
    }

    @Test
    void theLatestTask_isTheLastOneThatHasAWorker_andItsNumberIsNoted() {
        assertThat(settled(PLAIN.demanding(it -> it.near(Affinity.LATEST))))
                .isEqualTo(new Affinity(1, false, Optional.of(BERT)));
    }

    @Test
    void aTaskWithoutAWorker_orThatIsNotThere_givesNoWorker() {
        assertThat(settled(PLAIN.demanding(it -> it.near(2))).worker()).isEmpty();
        assertThat(settled(PLAIN.demanding(it -> it.near(9))).worker()).isEmpty();
        var none = new Affinities(PersistentVector.empty());
        assertThat(none.settle(PLAIN.demanding(it -> it.near(Affinity.LATEST))))
                .isEqualTo(PLAIN.demanding(it -> it.near(Affinity.LATEST)));
    }

    /// Trap: what a client wrote down as the worker goes instead of the one that did the earlier task.
    @Test
    void aWorkerThatIsNamedBeforehand_isReplacedByTheTrueOne() {
        var named = PLAIN.demanding(it -> it.with(new Affinity(0, true, Optional.of(BERT))));

        assertThat(settled(named).worker()).contains(ANNA);
    }

    @Test
    void onlyWhatMustRunWhereNothingRan_isImpossible() {
        var near = PLAIN.demanding(it -> it.near(2));
        var same = PLAIN.demanding(it -> it.sameWorkerAs(0));

        assertThat(affinities().impossible(List.of(PLAIN, near, same))).isEmpty();
        assertThat(
                        affinities()
                                .impossible(
                                        List.of(near, PLAIN.demanding(it -> it.sameWorkerAs(2)))))
                .contains("a task of type work must run where task 2 ran, and that has no worker");
        assertThat(
                        new Affinities(PersistentVector.empty())
                                .impossible(
                                        List.of(
                                                PLAIN.demanding(
                                                        it -> it.sameWorkerAs(Affinity.LATEST)))))
                .contains(
                        "a task of type work must run where an earlier task ran, and no task of the"
                                + " job has a worker");
    }

    @Test
    void tasksWithoutAffinity_areLeftAsTheyAre() {
        var specs = List.of(PLAIN, PLAIN);

        assertThat(affinities().settle(specs)).isSameAs(specs);
    }
}
