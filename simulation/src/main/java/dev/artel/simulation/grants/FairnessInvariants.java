package dev.artel.simulation.grants;

import dev.artel.engine.core.dispatch.DispatchSettings;
import dev.artel.kernel.job.JobId;
import dev.artel.simulation.world.World;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.function.Predicate;

/// Judges whose turn it is: how often a client, a job or a low priority is passed over by others of which the same worker
/// could have taken a task.
///
/// Only tasks are looked at that no limit, no time and no worker of before keeps waiting. With turns by weight a client goes
/// before another one no more often than its weight holds that of the other, since the other was served last; a job goes
/// twice at most before another one of its client; a priority is passed over by higher ones as often as the settings allow, and
/// until all others have been served that are as late.
final class FairnessInvariants {
    /// One more for clients that came while the others were ahead.
    private static final int SLACK = 1;

    /// How often a job may be served before another one of its client: with what it has left of a round, and in the next one.
    private static final int MOST_SERVED = 2;

    /// Of so many jobs that have waited longest is looked whether they were passed over.
    private static final int MOST_LOOKED_AT = 4;

    private final World world;
    private DispatchSettings settings;
    private final Map<Double, Lane> lanes = new HashMap<>();
    private final SequencedMap<Level, Age> ages = new LinkedHashMap<>();

    /// How many tasks of each level wait, whatever keeps them: those that something else kept waiting have been passed over, too.
    private final Map<Level, Integer> levels = new HashMap<>();

    /// What came with the input at hand. A slot that became free with it goes to what waited before.
    private final Set<CoordinatorMirror.Waiting> arrivals = new LinkedHashSet<>();

    /// A client or a job that came with the input at hand waits from its end on: what ended with it is served before.
    private final List<Runnable> newcomers = new ArrayList<>();

    /// How many services there were.
    private long services;

    FairnessInvariants(World world, DispatchSettings settings) {
        this.world = world;
        this.settings = settings;
    }

    private record Level(String type, double priority) {}

    private static Level levelOf(CoordinatorMirror.Waiting task) {
        return new Level(task.offer.outline().type(), task.offer.priority());
    }

    /// How often those of a level were passed over by higher priorities.
    private static final class Age {
        int waiting;
        int passes;

        /// How many levels waited at once, at most, since it was served: each of them may be as late, and go first.
        int most;

        void serve() {
            passes = 0;
            most = 0;
        }
    }

    /// All that waits with one priority.
    private static final class Lane {
        int waiting;
        final SequencedMap<String, Client> clients = new LinkedHashMap<>();
        final Map<String, Long> served = new HashMap<>();
    }

    private static final class Client {
        final Map<String, Integer> waiting = new HashMap<>();

        /// The longest without a service first.
        final SequencedMap<JobId, Turn> jobs = new LinkedHashMap<>();

        /// How often each client had been served when this one came or was served itself.
        Map<String, Long> since;

        Client(Map<String, Long> served) {
            since = new HashMap<>(served);
        }
    }

    private static final class Turn {
        final Map<String, Integer> waiting = new HashMap<>();
        long since;
        final long[] served = new long[MOST_SERVED];

        Turn(long since) {
            this.since = since;
        }
    }

    void configure(DispatchSettings other) {
        settings = other;
    }

    /// The coordinator takes another input in.
    void nextInput() {
        arrivals.clear();
        newcomers.forEach(Runnable::run);
        newcomers.clear();
    }

    /// A task waits.
    void comes(CoordinatorMirror.Waiting task) {
        var offer = task.offer;
        var lane = lanes.computeIfAbsent(offer.priority(), _ -> new Lane());
        lane.waiting++;
        levels.merge(levelOf(task), 1, Integer::sum);
        if (!task.plain) {
            return;
        }
        arrivals.add(task);
        var type = offer.outline().type();
        var client = lane.clients.computeIfAbsent(offer.client(), _ -> newcomer(lane));
        client.waiting.merge(type, 1, Integer::sum);
        client.jobs
                .computeIfAbsent(task.key.job(), _ -> newcomer())
                .waiting
                .merge(type, 1, Integer::sum);
        ages.computeIfAbsent(levelOf(task), _ -> new Age()).waiting++;
    }

    private Client newcomer(Lane lane) {
        var client = new Client(lane.served);
        newcomers.add(() -> client.since = new HashMap<>(lane.served));
        return client;
    }

    private Turn newcomer() {
        var turn = new Turn(services);
        newcomers.add(() -> turn.since = services);
        return turn;
    }

    /// A task waits no more.
    void goes(CoordinatorMirror.Waiting task) {
        var offer = task.offer;
        var lane = lanes.get(offer.priority());
        if (lane == null) {
            return;
        }
        lane.waiting--;
        levels.merge(levelOf(task), -1, (count, by) -> count + by == 0 ? null : count + by);
        arrivals.remove(task);
        var client = task.plain ? lane.clients.get(offer.client()) : null;
        if (client != null) {
            var type = offer.outline().type();
            var job = client.jobs.get(task.key.job());
            if (job != null && isLast(job.waiting, type)) {
                client.jobs.remove(task.key.job());
            }
            if (isLast(client.waiting, type)) {
                lane.clients.remove(offer.client());
            }
            var level = levelOf(task);
            var age = ages.get(level);
            if (age != null && --age.waiting == 0) {
                ages.remove(level);
            }
        }
        if (lane.waiting == 0) {
            lanes.remove(offer.priority());
        }
    }

    private static boolean isLast(Map<String, Integer> waiting, String type) {
        waiting.merge(type, -1, (count, change) -> count + change == 0 ? null : count + change);
        return waiting.isEmpty();
    }

    /// A task, which has gone, was given to a worker from the queue.
    ///
    /// @param types what the worker takes
    void granted(CoordinatorMirror.Waiting task, List<String> types) {
        services++;
        age(task, types);
        var lane = lanes.get(task.offer.priority());
        if (lane == null) {
            return;
        }
        if (lanes.size() == 1) {
            checkClients(lane, task, types);
            checkJobs(lane, task, types);
        }
        served(lane, task);
    }

    /// A task was given to a worker that something else than turns has kept waiting, or nothing: whose it is has had a turn,
    /// or none.
    void grantedOtherwise(CoordinatorMirror.Waiting task) {
        var own = ages.get(levelOf(task));
        if (own != null) {
            own.serve();
        }
        var lane = lanes.get(task.offer.priority());
        var client = lane == null ? null : lane.clients.get(task.offer.client());
        if (lane != null && client != null) {
            client.since = new HashMap<>(lane.served);
            var turn = client.jobs.remove(task.key.job());
            if (turn != null) {
                client.jobs.putLast(task.key.job(), turn);
                turn.since = services;
            }
        }
    }

    private void age(CoordinatorMirror.Waiting task, List<String> types) {
        var own = ages.get(levelOf(task));
        if (own != null) {
            own.serve();
        }
        if (settings.aging() == 0) {
            return;
        }
        for (var level : ages.entrySet()) {
            var age = level.getValue();
            if (level.getKey().priority() < task.offer.priority()
                    && types.contains(level.getKey().type())) {
                age.passes++;
                age.most = Math.max(age.most, levels.size());
                if (age.passes > settings.aging() + age.most + SLACK) {
                    throw world.failure(
                            "tasks of "
                                    + level.getKey()
                                    + " were passed over "
                                    + age.passes
                                    + " times by higher priorities, by "
                                    + settings
                                    + ", the last one "
                                    + task.offer);
                }
            }
        }
    }

    private void checkClients(Lane lane, CoordinatorMirror.Waiting task, List<String> types) {
        var name = task.offer.client();
        var now = lane.served.getOrDefault(name, 0L);
        lane.clients.forEach((other, client) -> {
            if (!other.equals(name)
                    && waits(
                            client.waiting,
                            types,
                            arrival ->
                                    arrival.offer.client().equals(other)
                                            && arrival.offer.priority() == task.offer.priority())) {
                var before = now - client.since.getOrDefault(name, 0L);
                if (before > settings.weight(name) / settings.weight(other) + SLACK) {
                    throw world.failure(
                            "client "
                                    + name
                                    + " was served "
                                    + before
                                    + " times while "
                                    + other
                                    + " waited, by "
                                    + settings
                                    + ", and then comes "
                                    + task.offer);
                }
            }
        });
    }

    private void checkJobs(Lane lane, CoordinatorMirror.Waiting task, List<String> types) {
        var client = lane.clients.get(task.offer.client());
        var own = client == null ? null : client.jobs.get(task.key.job());
        if (client == null || own == null || own.served[0] == 0) {
            return;
        }
        var looked = 0;
        for (var other : client.jobs.entrySet()) {
            if (looked++ == MOST_LOOKED_AT || other.getValue().since >= own.served[0]) {
                return;
            }
            if (other.getValue() != own
                    && waits(
                            other.getValue().waiting,
                            types,
                            arrival -> arrival.key.job().equals(other.getKey()))) {
                throw world.failure(
                        "job "
                                + task.key.job()
                                + " was served more than "
                                + MOST_SERVED
                                + " times while job "
                                + other.getKey()
                                + " of the same client waited, the last one "
                                + task.offer);
            }
        }
    }

    /// Whether something of `waiting` that the worker takes did not come just now.
    ///
    /// @param isTheirs which arrivals are among `waiting`
    private boolean waits(
            Map<String, Integer> waiting,
            List<String> types,
            Predicate<CoordinatorMirror.Waiting> isTheirs) {
        return types.stream()
                .anyMatch(type ->
                        waiting.getOrDefault(type, 0)
                                > arrivals.stream()
                                        .filter(isTheirs)
                                        .filter(it -> it.offer.outline().type().equals(type))
                                        .count());
    }

    private void served(Lane lane, CoordinatorMirror.Waiting task) {
        lane.served.merge(task.offer.client(), 1L, Long::sum);
        var client = lane.clients.get(task.offer.client());
        if (client == null) {
            return;
        }
        client.since = new HashMap<>(lane.served);
        var turn = client.jobs.remove(task.key.job());
        if (turn != null) {
            client.jobs.putLast(task.key.job(), turn);
            System.arraycopy(turn.served, 1, turn.served, 0, MOST_SERVED - 1);
            turn.served[MOST_SERVED - 1] = services;
            turn.since = services;
        }
    }
}
