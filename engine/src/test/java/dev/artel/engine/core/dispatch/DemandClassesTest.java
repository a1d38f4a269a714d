package dev.artel.engine.core.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonObject;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.placement.Demand;
import dev.artel.kernel.placement.Requirements;
import dev.artel.kernel.task.TaskOutline;
import dev.artel.kernel.task.TaskSpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class DemandClassesTest {
    private static final int MANY = 10_000;

    /// Those that are kept without a task, for the next one of their kind.
    private static final int KEPT = 8_192;

    private final WorkerIndex workerIndex = new WorkerIndex();
    private final DemandClasses classes =
            new DemandClasses(workerIndex, new Turns(_ -> 1), new Gates());

    private static QueuedTask task(int number) {
        return task(number, TaskSpec.of("type-" + number, JsonObject.EMPTY));
    }

    private static QueuedTask task(int number, TaskSpec spec) {
        var offer =
                new Effect.Offer(
                        new EffectId(number + 1, 0),
                        number,
                        1,
                        TaskOutline.of("b", spec),
                        0,
                        "alice",
                        Instant.EPOCH,
                        Instant.EPOCH,
                        List.of());
        return new QueuedTask(new QueuedTask.Key(new JobId("j"), offer.id()), offer);
    }

    private DemandClass classOf(QueuedTask task) {
        return classes.of(task.job(), task.offer(), Instant.EPOCH);
    }

    /// Trap: a client has tasks of a hundred thousand types and withdraws them, and what they asked for stays until another kind comes.
    @Test
    void classesWithoutTasks_areForgotten_butForTheLatest() {
        var tasks = new ArrayList<QueuedTask>();
        for (var i = 0; i < MANY; i++) {
            tasks.add(task(i));
            classes.add(classOf(tasks.get(i)), tasks.get(i));
        }
        assertThat(classes.size()).isEqualTo(MANY);

        tasks.forEach(classes::remove);

        assertThat(classes.waiting()).isEmpty();
        assertThat(classes.size()).isEqualTo(KEPT);
    }

    /// Trap: their number is bounded, and each asks for fifty things with long names.
    @Test
    void fewerClassesWithoutTasks_areKept_whereEachAsksForMuch() {
        var much = Demand.NONE;
        for (var i = 0; i < Requirements.MOST; i++) {
            much = much.amount("x".repeat(Requirements.LONGEST_NAME - 2) + i, 1);
        }
        var demand = much;
        for (var i = 0; i < 1_000; i++) {
            var task = task(i, TaskSpec.of("type-" + i, JsonObject.EMPTY).demanding(_ -> demand));
            classes.add(classOf(task), task);
            classes.remove(task);
        }

        assertThat(classes.size()).isBetween(100, 400);
    }

    /// Trap: the class that was asked for last is forgotten, and handed out all the same.
    @Test
    void aClassThatWasForgotten_isMadeAnew() {
        var tasks = new ArrayList<QueuedTask>();
        for (var i = 0; i <= KEPT; i++) {
            tasks.add(task(i));
            classes.add(classOf(tasks.get(i)), tasks.get(i));
        }
        var first = classOf(tasks.getFirst());

        tasks.forEach(classes::remove);

        assertThat(classOf(tasks.getFirst())).isNotSameAs(first);
        assertThat(classOf(tasks.getLast())).isSameAs(classOf(tasks.getLast()));
        assertThat(classes.size()).isEqualTo(KEPT);
    }
}
