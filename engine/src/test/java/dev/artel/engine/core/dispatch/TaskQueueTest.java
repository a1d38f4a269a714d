package dev.artel.engine.core.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonObject;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.placement.Demand;
import dev.artel.kernel.task.TaskOutline;
import dev.artel.kernel.task.TaskSpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The queues serve in the order of one list that is looked through each time.
final class TaskQueueTest {
    private static final TaskSpec SPEC = TaskSpec.of("paint", JsonObject.EMPTY);
    private static final List<String> CLIENTS = List.of("a", "b", "c");
    private static final int QUEUES = 6;

    static LongStream seeds() {
        var one = Long.getLong("seed");
        return one == null ? LongStream.range(0, 50) : LongStream.of(one);
    }

    /// The weight of a client.
    private static double weight(String client) {
        return client.equals("c") ? 3 : 1;
    }

    private static String client(int queue) {
        return CLIENTS.get(queue % CLIENTS.size());
    }

    @ParameterizedTest(name = "-Dseed={0}")
    @MethodSource("seeds")
    void tasksAreServed_byPriority_thenTurnOfTheClient_thenTurnOfTheJob_thenAge(long seed) {
        var random = new SplittableRandom(seed);
        var turns = new Turns(TaskQueueTest::weight);
        var demands = IntStream.range(0, QUEUES).mapToObj(i -> demand(i, turns)).toList();
        var queues = demands.stream().map(it -> it.queue).toList();
        var search = new Search();
        var reference = new Looked();
        for (var i = 0; i < 600; i++) {
            var at = random.nextInt(QUEUES);
            var queue = queues.get(at);
            if (random.nextInt(5) < 3 || reference.in(at).isEmpty()) {
                var task = task(random, i, client(at));
                queue.add(task);
                reference.add(at, task);
            } else if (random.nextInt(3) == 0) {
                var task = reference.in(at).get(random.nextInt(reference.in(at).size()));
                queue.remove(task);
                reference.remove(task);
            } else {
                var first = Objects.requireNonNull(reference.first(at));
                var flow = Turns.first(search(search, List.of(demands.get(at))));
                assertThat(queue.take(Objects.requireNonNull(flow))).isSameAs(first);
                reference.take(first);
            }
            for (var each = 0; each < QUEUES; each++) {
                assertThat(first(search, List.of(demands.get(each))))
                        .isSameAs(reference.first(each));
                assertThat(queues.get(each).size()).isEqualTo(reference.in(each).size());
                assertThat(queues.get(each).mayGo()).isEqualTo(queues.get(each).size() > 0);
            }
            assertThat(first(search, demands)).isSameAs(reference.first());
        }
        for (var at = 0; at < QUEUES; at++) {
            List.copyOf(reference.in(at)).forEach(queues.get(at)::remove);
        }
        assertThat(turns.size()).as("what is remembered of empty queues").isZero();
    }

    private static Search search(Search search, List<DemandClass> demands) {
        search.begin();
        demands.forEach(search::want);
        return search;
    }

    private static @Nullable QueuedTask first(Search search, List<DemandClass> demands) {
        var flow = Turns.first(search(search, demands));
        return flow == null ? null : flow.first();
    }

    private static DemandClass demand(int number, Turns turns) {
        var key =
                new DemandClass.Key(
                        "paint-" + number,
                        Demand.NONE,
                        "b",
                        client(number),
                        List.of(),
                        false,
                        false);
        return new DemandClass(key, new WorkerIndex(), turns, new Gates());
    }

    private static QueuedTask task(SplittableRandom random, int number, String client) {
        var job = random.nextInt(4);
        var opened = Instant.EPOCH.plusSeconds(random.nextInt(3));
        var offer =
                new Effect.Offer(
                        new EffectId(number, 0),
                        number,
                        1,
                        TaskOutline.of("b", SPEC.limitedBy("group-" + number % 3)),
                        job % 2,
                        client,
                        opened,
                        opened,
                        List.of());
        return new QueuedTask(new QueuedTask.Key(new JobId(client + "-" + job), offer.id()), offer);
    }

    /// One list, and what each client and job has had.
    private static final class Looked {
        private final Map<QueuedTask, Integer> tasks = new LinkedHashMap<>();
        private final Map<Double, Double> clocks = new LinkedHashMap<>();
        private final Map<List<Object>, Double> tags = new LinkedHashMap<>();
        private final Map<List<Object>, Long> rounds = new LinkedHashMap<>();
        private final Map<JobId, Long> turns = new LinkedHashMap<>();

        List<QueuedTask> in(int queue) {
            return new ArrayList<>(
                    tasks.entrySet().stream()
                            .filter(it -> it.getValue() == queue)
                            .map(Map.Entry::getKey)
                            .toList());
        }

        private static List<Object> share(QueuedTask task) {
            return List.of(task.offer().priority(), task.offer().client());
        }

        private double clock(QueuedTask task) {
            return clocks.getOrDefault(task.offer().priority(), 0d);
        }

        void add(int queue, QueuedTask task) {
            var share = share(task);
            if (tasks.keySet().stream().noneMatch(it -> share(it).equals(share))) {
                tags.merge(share, clock(task), Math::max);
            }
            turns.putIfAbsent(task.job(), rounds.getOrDefault(share, 0L) + 1);
            tasks.put(task, queue);
        }

        void remove(QueuedTask task) {
            tasks.remove(task);
            if (tasks.keySet().stream().noneMatch(it -> it.job().equals(task.job()))) {
                turns.remove(task.job());
            }
            var priority = task.offer().priority();
            if (tasks.keySet().stream().noneMatch(it -> it.offer().priority() == priority)) {
                clocks.remove(priority);
                tags.keySet().removeIf(share -> share.getFirst().equals(priority));
                rounds.keySet().removeIf(share -> share.getFirst().equals(priority));
            }
        }

        void take(QueuedTask task) {
            var share = share(task);
            var start = Math.max(clock(task), Objects.requireNonNull(tags.get(share)));
            clocks.put(task.offer().priority(), start);
            tags.put(share, start + 1 / weight(task.offer().client()));
            var turn = Objects.requireNonNull(turns.get(task.job()));
            var round = Math.max(turn, rounds.getOrDefault(share, 0L));
            rounds.put(share, round);
            turns.put(task.job(), round + 1);
            remove(task);
        }

        @Nullable QueuedTask first() {
            return first(tasks.keySet());
        }

        @Nullable QueuedTask first(int queue) {
            return first(in(queue));
        }

        private @Nullable QueuedTask first(Iterable<QueuedTask> of) {
            QueuedTask first = null;
            for (var task : of) {
                first = first == null || order().compare(task, first) < 0 ? task : first;
            }
            return first;
        }

        private Comparator<QueuedTask> order() {
            return Comparator.comparingDouble((QueuedTask it) -> -it.offer().priority())
                    .thenComparingDouble(it -> tags.getOrDefault(share(it), 0d))
                    .thenComparing(it -> it.offer().client())
                    .thenComparingLong(it -> turns.getOrDefault(it.job(), 0L))
                    .thenComparing(this::oldest, QueuedTask.ORDER)
                    .thenComparing(QueuedTask::job)
                    .thenComparing(QueuedTask.ORDER);
        }

        /// The oldest task of the same job and priority, in whatever queue.
        private QueuedTask oldest(QueuedTask task) {
            return tasks.keySet().stream()
                    .filter(it -> it.job().equals(task.job()))
                    .min(QueuedTask.ORDER)
                    .orElseThrow();
        }
    }
}
