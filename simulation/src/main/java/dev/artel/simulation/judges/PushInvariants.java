package dev.artel.simulation.judges;

import dev.artel.kernel.attempt.LeaseEnd;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.attempt.WorkerInstance;
import dev.artel.protocol.AskQuestion;
import dev.artel.protocol.Heartbeat;
import dev.artel.protocol.Progress;
import dev.artel.protocol.Register;
import dev.artel.protocol.Release;
import dev.artel.protocol.Renew;
import dev.artel.protocol.TaskLog;
import dev.artel.protocol.TaskResult;
import dev.artel.protocol.WorkerMessage;
import dev.artel.session.SessionInput;
import dev.artel.session.SessionOutput;
import dev.artel.simulation.world.World;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Judges the channels of one process of the orchestrator by what the conversation with workers takes in and puts out: each task
/// is pushed once, over the channel that its worker has, and never more of them than the worker takes; only its worker accepts it;
/// what is not accepted goes back at its time, not before and not after, or with its channel if its worker ends with that; each channel is closed once, as soon
/// as another takes its place, and takes a worker along that has its tasks for as long as its channel and has not gone over to polls.
public final class PushInvariants {
    /// After how many ticks the end of a connection has been taken in, even if the process stood still meanwhile.
    private static final long LONGEST_UNHEARD = 3;

    private static final Duration BACK_WITHIN = Duration.ofSeconds(10);
    private static final Duration LONGEST_TERM = Duration.ofSeconds(30);

    private final World world;
    private final PresenceInvariants presence;
    private final SequencedMap<Long, Channel> open = new LinkedHashMap<>();
    private final Map<WorkerId, Long> current = new HashMap<>();
    private final SequencedMap<LeaseToken, Pushed> unaccepted = new LinkedHashMap<>();
    private final Set<LeaseToken> pushed = new HashSet<>();

    /// What earlier processes of the orchestrator have handed out.
    private final Map<LeaseToken, WorkerInstance> recalled = new HashMap<>();

    /// Of each worker the process that registered last.
    private final Map<WorkerId, WorkerInstance> processes = new HashMap<>();

    private final Predicate<LeaseToken> mayRepeat;

    /// How long it takes at most until what was granted is pushed.
    private static final long ON_THE_WAY = 1_000;

    private final Map<WorkerId, Integer> capacities = new HashMap<>();

    /// How many it took before, where it takes fewer now: what was granted by then is on its way.
    private final Map<WorkerId, Former> formerCapacities = new HashMap<>();

    /// @param until by virtual time, in milliseconds
    private record Former(int capacity, long until) {}

    /// The channels that the conversation has closed, and whose connections are not over yet.
    private final Set<Long> closing = new HashSet<>();

    /// The channels whose connections are over and that still count as open: behind which tick the conversation learns it.
    private final SequencedMap<Long, Long> over = new LinkedHashMap<>();

    private long ticks;

    /// How many ticks there are, with those that wait to be taken in: a process that stood still has many.
    private long allTicks;

    private record Channel(WorkerId worker, SessionInput.ChannelOpened opened) {}

    /// @param nearlyExpired when most of its term is over, before which it goes back if it may be done twice
    /// @param until it is not given back before
    /// @param latest it is given back then at the latest
    /// @param outlives whether its worker outlives the channel, and may come back with the task
    /// @param isAdrift whether its channel is over
    private record Pushed(
            long socket,
            WorkerId worker,
            Instant nearlyExpired,
            Instant until,
            Instant latest,
            boolean outlives,
            boolean isAdrift) {
        private Pushed(
                long socket,
                WorkerId worker,
                Instant nearlyExpired,
                Instant until,
                boolean outlives) {
            this(socket, worker, nearlyExpired, until, until, outlives, false);
        }

        private Pushed adrift(Instant least, Instant most) {
            return new Pushed(
                    socket,
                    worker,
                    nearlyExpired,
                    least.isAfter(until) ? least : until,
                    most.isAfter(latest) ? most : latest,
                    outlives,
                    true);
        }

        /// As [#adrift], and back before its lease expires.
        private Pushed adriftAtMostUntilNearlyExpired(Instant most) {
            var drifting = adrift(most, most);
            return drifting.until().isBefore(nearlyExpired)
                    ? drifting
                    : new Pushed(
                            socket,
                            worker,
                            nearlyExpired,
                            nearlyExpired,
                            nearlyExpired,
                            outlives,
                            true);
        }
    }

    /// @param mayRepeat whether the task of a lease may be done twice
    public PushInvariants(
            World world, PresenceInvariants presence, Predicate<LeaseToken> mayRepeat) {
        this.mayRepeat = mayRepeat;
        this.world = world;
        this.presence = presence;
    }

    /// The connection of a channel is over, which the conversation is about to learn.
    public void ends(long socket) {
        over.put(socket, allTicks);
    }

    /// A tick waits to be taken in, behind all else that does.
    public void ticks() {
        allTicks++;
    }

    /// The conversation is about to take `input` in.
    public void before(SessionInput input) {
        switch (input) {
            case SessionInput.ChannelOpened opened -> {
                open.put(opened.socket(), new Channel(opened.worker(), opened));
                current.put(opened.worker(), opened.socket());
            }
            case SessionInput.TasksAccepted(long socket, var tokens) -> heardOver(socket, tokens);
            case SessionInput.TasksRefused(long socket, var tokens, var _) ->
                    heardOver(socket, tokens);
            case SessionInput.LeaseLost(var _, var token) -> heardOf(List.of(token));
            case SessionInput.Held(var task) ->
                    recalled.put(task.lease().token(), task.lease().instance());
            case SessionInput.Recalled(var worker, var words) -> knows(worker, words);
            case SessionInput.Said(long _, var worker, var message) -> heard(worker, message);
            case SessionInput _ -> {}
        }
    }

    /// The conversation has put out `output` with `input`.
    public void sends(SessionInput input, SessionOutput output, Instant now) {
        switch (output) {
            case SessionOutput.PushTasks pushes -> pushes(pushes, now);
            case SessionOutput.PushAgain pushes -> pushesAgain(pushes, now);
            case SessionOutput.Push(long socket, var cancel) ->
                    require(open.containsKey(socket), cancel + " goes to closed channel " + socket);
            case SessionOutput.CloseSocket close -> {
                drift(it -> it.socket() == close.socket(), now);
                require(
                        open.containsKey(close.socket())
                                && closing.add(close.socket())
                                && !close.reason().isBlank(),
                        "closed already, or without a reason: " + close);
            }
            case SessionOutput.End(var token, var reason) -> {
                var task = unaccepted.remove(token);
                // One that was revoked is over when its worker has kept it for too long.
                if (task != null && reason != LeaseEnd.Lost.EXPIRED && isTimeAlone(input, task)) {
                    require(
                            !task.until().isAfter(now)
                                    || (closing.contains(task.socket()) && !task.outlives()),
                            token + " is given back before its time, " + task.until());
                }
                if (task != null && !mayEnd(input, task)) {
                    throw world.failure(
                            token + " was pushed to " + task.worker() + ", and ends with " + input);
                }
            }
            case SessionOutput.Left(var worker, var _) -> forget(it -> it.worker().equals(worker));
            case SessionOutput _ -> {}
        }
    }

    /// The conversation has taken `input` in, and nothing more follows from it.
    public void after(SessionInput input, Instant now) {
        switch (input) {
            case SessionInput.ChannelOpened(long socket, var worker, var _) -> {
                drift(it -> it.worker().equals(worker) && it.socket() != socket, now);
                requireNone(
                        it -> it.worker().equals(worker) && it.socket() != socket && !it.outlives(),
                        "its channel was replaced");
                open.forEach((number, channel) ->
                        require(
                                number == socket
                                        || !channel.worker().equals(worker)
                                        || closing.contains(number),
                                "channel " + number + " stays open beside " + socket));
            }
            case SessionInput.SocketClosed(long socket) -> {
                drift(it -> it.socket() == socket, now);
                closed(socket);
            }
            case SessionInput.Tick _ -> {
                requireNone(it -> !it.latest().isAfter(now), "its time to be accepted is over");
                ticks++;
                over.forEach((socket, since) ->
                        require(
                                ticks - since <= LONGEST_UNHEARD,
                                "channel " + socket + " is over, and counts as open"));
            }
            case SessionInput _ -> {}
        }
    }

    /// A channel is over: the workers that outlive it have a while to come back.
    private void drift(Predicate<Pushed> which, Instant now) {
        unaccepted.replaceAll((token, task) ->
                which.test(task) && task.outlives() && !task.isAdrift()
                        ? mayRepeat.test(token)
                                ? task.adriftAtMostUntilNearlyExpired(now.plus(BACK_WITHIN))
                                : task.adrift(now.plus(BACK_WITHIN), now.plus(LONGEST_TERM))
                        : task);
    }

    private void closed(long socket) {
        requireNone(it -> it.socket() == socket && !it.outlives(), "its channel is closed");
        var channel = open.remove(socket);
        over.remove(socket);
        if (channel == null) {
            throw world.failure("channel " + socket + " is closed, and was not open");
        }
        closing.remove(socket);
        if (current.remove(channel.worker(), socket) && !channel.opened().terms().keepsLeases()) {
            require(
                    !presence.isPresent(channel.worker())
                            || presence.livesByPolls(channel.worker()),
                    channel.worker() + " stays, and its channel " + socket + " is closed");
        }
    }

    /// Whether nothing but time ends a task with `input`.
    private static boolean isTimeAlone(SessionInput input, Pushed task) {
        return switch (input) {
            case SessionInput.Tick _ -> true;
            case SessionInput.ChannelOpened _, SessionInput.SocketClosed _ -> task.outlives();
            case SessionInput _ -> false;
        };
    }

    /// Only what its own worker does, or time, ends a task that is not accepted.
    private static boolean mayEnd(SessionInput input, Pushed task) {
        return switch (input) {
            case SessionInput.TasksAccepted _ -> false;
            case SessionInput.TasksRefused(long socket, var _, var _) -> socket == task.socket();
            case SessionInput.Said(long _, var worker, var _) -> worker.equals(task.worker());
            case SessionInput _ -> true;
        };
    }

    private void pushes(SessionOutput.PushTasks pushes, Instant now) {
        var channel = open.get(pushes.socket());
        if (channel == null) {
            throw world.failure("tasks are pushed over a closed channel: " + pushes);
        }
        var worker = channel.worker();
        if (!Long.valueOf(pushes.socket()).equals(current.get(worker))) {
            throw world.failure("tasks are pushed over a channel that was replaced: " + pushes);
        }
        var until = now.plus(channel.opened().terms().acceptWithin());
        for (var task : pushes.tasks()) {
            var token = task.lease().token();
            require(task.lease().worker().equals(worker), token + " is pushed to " + worker);
            require(pushed.add(token), token + " is pushed twice");
            unaccepted.put(
                    token,
                    new Pushed(
                            pushes.socket(),
                            worker,
                            nearlyExpired(now, pushes.lease()),
                            until,
                            channel.opened().terms().keepsLeases()));
        }
        // A lease of a job that could not be read for a while is known after others were given.
        var count =
                unaccepted.entrySet().stream()
                        .filter(it -> it.getValue().worker().equals(worker))
                        .filter(it -> !recalled.containsKey(it.getKey()))
                        .count();
        require(
                count <= capacity(worker),
                count + " tasks are pushed to " + worker + ", which takes fewer");
    }

    private static Instant nearlyExpired(Instant given, Duration term) {
        return given.plus(term.multipliedBy(4).dividedBy(5));
    }

    /// What comes again comes under its lease, to a worker that holds it, and may be done twice.
    private void pushesAgain(SessionOutput.PushAgain pushes, Instant now) {
        var channel = open.get(pushes.socket());
        if (channel == null) {
            throw world.failure("tasks are pushed again over a closed channel: " + pushes);
        }
        var until = now.plus(channel.opened().terms().acceptWithin());
        for (var task : pushes.tasks()) {
            var token = task.lease().token();
            var process = recalled.get(token);
            if (process == null) {
                throw world.failure(token + " is pushed again, and was never held");
            }
            require(
                    !process.isOtherThan(
                            processes.getOrDefault(channel.worker(), WorkerInstance.UNKNOWN)),
                    token + " is pushed again to another process than " + process);
            require(mayRepeat.test(token), token + " is pushed again, and must not be done twice");
            unaccepted.put(
                    token,
                    new Pushed(
                            pushes.socket(),
                            channel.worker(),
                            nearlyExpired(now, pushes.lease()),
                            until,
                            true));
        }
    }

    private long capacity(WorkerId worker) {
        var former = formerCapacities.get(worker);
        var now = capacities.getOrDefault(worker, Integer.MAX_VALUE);
        return former != null && world.loop().now() <= former.until()
                ? Math.max(now, former.capacity())
                : now;
    }

    private void knows(WorkerId worker, Register words) {
        var capacity = words.profile().limits().maxConcurrentTasks();
        // One of which nothing is known takes as many as come.
        var before = capacities.put(worker, capacity);
        if (before == null || before > capacity) {
            formerCapacities.put(
                    worker,
                    new Former(
                            before == null ? Integer.MAX_VALUE : before,
                            world.loop().now() + ON_THE_WAY));
        }
        var process = words.origin().instance();
        processes.put(
                worker, process == null ? WorkerInstance.UNKNOWN : WorkerInstance.named(process));
    }

    /// Whatever a worker sends about a task accepts it.
    private void heard(WorkerId worker, WorkerMessage message) {
        switch (message) {
            case Register register -> knows(worker, register);
            case Heartbeat.Full full -> {
                if (full.currentTasks() != null) {
                    heardOfTexts(worker, full.currentTasks());
                } else if (full.load() != null && full.load() > 0) {
                    // Which tasks it counts is not known.
                    forget(it -> it.worker().equals(worker));
                }
            }
            case TaskResult result -> heardFrom(worker, result.lease());
            case Renew renew -> heardOfTexts(worker, renew.leaseTokens());
            case Release release -> heardOfTexts(worker, release.leaseTokens());
            case Progress progress -> heardFrom(worker, progress.lease());
            case TaskLog log -> heardFrom(worker, log.lease());
            case AskQuestion asked -> heardFrom(worker, asked.lease());
            case Heartbeat.Empty _,
                    WorkerMessage.Poll _,
                    WorkerMessage.Drain _,
                    WorkerMessage.Disconnect _ -> {}
        }
    }

    /// That somebody else accepts or refuses a task means nothing.
    private void heardOver(long socket, Collection<LeaseToken> tokens) {
        var channel = open.get(socket);
        if (channel != null) {
            tokens.forEach(token -> heardFrom(channel.worker(), token.value()));
        }
    }

    private void heardFrom(WorkerId worker, @Nullable String token) {
        unaccepted
                .entrySet()
                .removeIf(it ->
                        it.getKey().value().equals(token) && it.getValue().worker().equals(worker));
    }

    private void heardOf(Collection<LeaseToken> tokens) {
        tokens.forEach(unaccepted::remove);
    }

    private void heardOfTexts(WorkerId worker, Collection<String> tokens) {
        tokens.forEach(token -> heardFrom(worker, token));
    }

    private void forget(Predicate<Pushed> which) {
        unaccepted.values().removeIf(which);
    }

    private void requireNone(Predicate<Pushed> which, String why) {
        unaccepted.forEach((token, task) -> {
            if (which.test(task)) {
                throw world.failure(token + " is not given back, and " + why);
            }
        });
    }

    private void require(boolean isTrue, String finding) {
        if (!isTrue) {
            throw world.failure(finding);
        }
    }
}
