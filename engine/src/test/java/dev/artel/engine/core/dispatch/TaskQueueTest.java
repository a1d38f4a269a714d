package dev.artel.engine.core.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonObject;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.task.TaskSpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The queue serves in the order of a list that is looked through each time.
final class TaskQueueTest {
    private static final TaskSpec SPEC = TaskSpec.of("paint", JsonObject.EMPTY);

    static LongStream seeds() {
        var one = Long.getLong("seed");
        return one == null ? LongStream.range(0, 50) : LongStream.of(one);
    }

    @ParameterizedTest(name = "-Dseed={0}")
    @MethodSource("seeds")
    void tasksAreServed_byPriorityThenTurnThenNumber(long seed) {
        var random = new SplittableRandom(seed);
        var queue = new TaskQueue();
        var reference = new Looked();
        for (var i = 0; i < 400; i++) {
            if (random.nextInt(5) < 3 || reference.tasks.isEmpty()) {
                var task = task(random, i);
                queue.add(task);
                reference.add(task);
            } else if (random.nextInt(3) == 0) {
                var task = reference.tasks.get(random.nextInt(reference.tasks.size()));
                queue.remove(task);
                reference.remove(task);
            } else {
                assertThat(queue.take()).isSameAs(reference.take());
            }
            var head = queue.head();
            assertThat(head == null ? null : head.task()).isSameAs(reference.first());
            assertThat(queue.size()).isEqualTo(reference.tasks.size());
        }
    }

    private static QueuedTask task(SplittableRandom random, int number) {
        var job = random.nextInt(4);
        var opened = Instant.EPOCH.plusSeconds(random.nextInt(3));
        var offer =
                new Effect.Offer(
                        new EffectId(number, 0),
                        number,
                        1,
                        SPEC,
                        job % 2,
                        "",
                        opened,
                        opened,
                        List.of());
        return new QueuedTask(new QueuedTask.Key(new JobId("job-" + job), offer.id()), offer);
    }

    private static final class Looked {
        final List<QueuedTask> tasks = new ArrayList<>();
        private final Map<JobId, Long> turns = new LinkedHashMap<>();
        private long turn;

        void add(QueuedTask task) {
            tasks.add(task);
            turns.putIfAbsent(task.job(), turn);
        }

        void remove(QueuedTask task) {
            tasks.remove(task);
            if (tasks.stream().noneMatch(it -> it.job().equals(task.job()))) {
                turns.remove(task.job());
            }
        }

        QueuedTask take() {
            var task = Objects.requireNonNull(first());
            var before = Objects.requireNonNull(turns.get(task.job()));
            turn = Math.max(turn, before);
            turns.put(task.job(), before + 1);
            remove(task);
            return task;
        }

        @Nullable QueuedTask first() {
            return tasks.stream()
                    .min(
                            Comparator.comparingDouble((QueuedTask it) -> -it.offer().priority())
                                    .thenComparingLong(it -> turns.getOrDefault(it.job(), 0L))
                                    .thenComparing(QueuedTask.ORDER)
                                    .thenComparing(QueuedTask::job))
                    .orElse(null);
        }
    }
}
