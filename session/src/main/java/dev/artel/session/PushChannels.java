package dev.artel.session;

import dev.artel.kernel.attempt.LeaseEnd;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.engine.HandOut;
import dev.artel.protocol.CancelTask;
import dev.artel.session.SessionOutput.Ask;
import dev.artel.session.SessionOutput.CloseSocket;
import dev.artel.session.SessionOutput.End;
import dev.artel.session.SessionOutput.Push;
import dev.artel.session.SessionOutput.PushAgain;
import dev.artel.session.SessionOutput.PushTasks;
import dev.artel.session.SessionOutput.SetTerm;
import dev.artel.session.SessionOutput.Withdraw;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedMap;
import java.util.SequencedSet;
import org.jspecify.annotations.Nullable;

/// The channels over which tasks are pushed. Each asks the engine for tasks as long as its worker takes some: the slots of the
/// worker are the limit, which the engine keeps. A task that was pushed belongs to its worker when the worker has accepted it, by
/// that word or by any other about it.
final class PushChannels {
    /// Status of RFC 6455: the peer breaks the terms.
    private static final int BROKEN_TERMS = 1008;

    private final SessionSettings settings;
    private final Roster roster;
    private final List<SessionOutput> out;
    private final SequencedMap<Long, Channel> bySocket = new LinkedHashMap<>();
    private final SequencedMap<WorkerId, Channel> byWorker = new LinkedHashMap<>();
    private final SequencedMap<Long, Channel> byAsk = new LinkedHashMap<>();

    /// The channels with tasks that are not accepted yet.
    private final SequencedSet<Channel> waiting = new LinkedHashSet<>();

    /// The tasks that were not accepted over a channel that is closed, of workers that outlive their channels: such a worker may have
    /// begun, and reports it over its next channel.
    private final SequencedMap<LeaseToken, Unaccepted> adrift = new LinkedHashMap<>();

    /// How long a worker may take at least to come back after its connection has broken, of which it hears later than the orchestrator.
    static final Duration BACK_WITHIN = Duration.ofSeconds(10);

    /// Asks of channels have negative numbers: those of polls are numbers of requests.
    private long lastAsk;

    PushChannels(SessionSettings settings, Roster roster, List<SessionOutput> out) {
        this.settings = settings;
        this.roster = roster;
        this.out = out;
    }

    private static final class Channel {
        private final long socket;
        private final WorkerId worker;
        private final PushTerms terms;

        /// The tasks that are to be accepted; all have the same time for it, so that they are in order.
        private final SequencedMap<LeaseToken, Unaccepted> unaccepted = new LinkedHashMap<>();

        /// The number of the ask that waits; 0 if there is none.
        private long ask;

        private int misses;

        /// Whether the worker refused a task, and has not reported since that it takes more.
        private boolean isPaused;

        /// Whether it is being closed, so that nothing but its end is still to come.
        private boolean isClosing;

        /// Whether what the worker had of an earlier process of the orchestrator is pushed again.
        private boolean isRepeating;

        /// Whether the worker names what it has.
        private boolean namesTasks;

        private Channel(long socket, WorkerId worker, PushTerms terms) {
            this.socket = socket;
            this.worker = worker;
            this.terms = terms;
        }
    }

    /// A task that was pushed and is not accepted yet. Its worker may have it, and its word of that may be lost on the way.
    ///
    /// @param given when it was pushed
    /// @param until when it is to be accepted
    /// @param isRepeatable whether it may be done twice
    private record Unaccepted(Instant given, Instant until, boolean isRepeatable) {
        /// How the lease ends if it is not accepted: what must not be done twice is in doubt.
        LeaseEnd end() {
            return isRepeatable ? LeaseEnd.Returned.NOT_RECEIVED : LeaseEnd.Lost.UNCONFIRMED;
        }

        Unaccepted until(Instant other) {
            return new Unaccepted(given, other, isRepeatable);
        }
    }

    /// Opens a channel to `worker`, in place of the one that it has. Tasks that were not accepted on that one go back, at once or when
    /// their time is up.
    void open(long socket, WorkerId worker, PushTerms terms, Instant now) {
        var replaced = byWorker.get(worker);
        if (replaced != null) {
            forget(replaced, now);
        }
        var channel = new Channel(socket, worker, terms);
        bySocket.put(socket, channel);
        byWorker.put(worker, channel);
        ask(channel);
    }

    /// Closes a channel. What was not accepted over it goes back: at once if the worker ends with it, otherwise when it was not heard
    /// of within its time.
    ///
    /// @return the worker whose tasks end with this channel; null if they outlive it, or it is none
    @Nullable WorkerId close(long socket, Instant now) {
        var channel = bySocket.get(socket);
        if (channel == null) {
            return null;
        }
        forget(channel, now);
        return channel.terms.keepsLeases() ? null : channel.worker;
    }

    private void forget(Channel channel, Instant now) {
        giveUp(channel, now);
        bySocket.remove(channel.socket);
        byWorker.remove(channel.worker, channel);
    }

    /// Nothing more is pushed over the channel, and what was not accepted over it goes back, or drifts.
    private void giveUp(Channel channel, Instant now) {
        channel.isClosing = true;
        withdraw(channel);
        waiting.remove(channel);
        var one = roster.find(channel.worker);
        channel.unaccepted.forEach((token, task) -> {
            if (one != null && !one.heldLeases.isUnconfirmed(token)) {
                return;
            }
            if (one != null && channel.terms.keepsLeases()) {
                adrift.put(token, task.until(driftsUntil(task, one.term(settings), now)));
            } else {
                giveBack(token, task);
            }
        });
        channel.unaccepted.clear();
    }

    /// Until when a task waits for its worker to come back. What may be done twice goes back before its lease expires, since that would
    /// count as a loss; what must not be done twice waits as long as its worker may still renew it.
    private static Instant driftsUntil(Unaccepted task, Duration term, Instant now) {
        if (!task.isRepeatable()) {
            return later(task.until(), now.plus(later(BACK_WITHIN, term)));
        }
        var back = later(task.until(), now.plus(BACK_WITHIN));
        var nearlyExpired = task.given().plus(term.multipliedBy(4).dividedBy(5));
        return back.isBefore(nearlyExpired) ? back : nearlyExpired;
    }

    /// The lists of a worker lack `tokens`, again and again. What may be done twice, and was pushed over a channel that is closed, did not
    /// reach it.
    void listedWithout(WorkerId worker, List<LeaseToken> tokens) {
        for (var token : tokens) {
            var task = adrift.get(token);
            if (task != null && task.isRepeatable() && worker.equals(roster.holder(token))) {
                giveBackAdrift(worker, token, task);
            }
        }
    }

    private void giveBackAdrift(WorkerId worker, LeaseToken token, Unaccepted task) {
        adrift.remove(token);
        giveBack(token, task);
        var channel = byWorker.get(worker);
        if (channel != null) {
            cancel(channel, token);
        }
    }

    boolean isOpen(WorkerId worker) {
        var channel = byWorker.get(worker);
        return channel != null && !channel.isClosing;
    }

    /// Asks for tasks for `worker` if it has a channel, takes tasks, and no ask waits.
    void ask(WorkerId worker) {
        var channel = byWorker.get(worker);
        if (channel != null) {
            ask(channel);
        }
    }

    private void ask(Channel channel) {
        var one = roster.find(channel.worker);
        if (one == null
                || one.drains
                || channel.isPaused
                || channel.isClosing
                || channel.ask != 0) {
            return;
        }
        channel.ask = --lastAsk;
        byAsk.put(channel.ask, channel);
        out.add(new Ask(channel.ask, channel.worker, settings.limits().tasksPerPoll()));
    }

    /// The channel of `socket`; null if there is none, or it is being closed.
    private @Nullable Channel find(long socket) {
        var channel = bySocket.get(socket);
        return channel == null || channel.isClosing ? null : channel;
    }

    /// Takes back what waits for `worker`: it gets nothing more for now.
    void withdraw(WorkerId worker) {
        var channel = byWorker.get(worker);
        if (channel != null) {
            withdraw(channel);
        }
    }

    private void withdraw(Channel channel) {
        if (channel.ask == 0) {
            return;
        }
        byAsk.remove(channel.ask);
        if (roster.find(channel.worker) != null) {
            out.add(new Withdraw(channel.ask));
        }
        channel.ask = 0;
    }

    /// Pushes `tasks`, which the engine has given for `ask`.
    ///
    /// @return whether the ask is of a channel
    boolean handOut(long ask, WorkerId worker, List<HandOut> tasks, Instant now) {
        var channel = byAsk.remove(ask);
        var one = roster.find(worker);
        if (channel == null) {
            return false;
        }
        channel.ask = 0;
        if (one == null || !channel.worker.equals(worker)) {
            tasks.stream()
                    .map(task -> new End(task.lease().token(), LeaseEnd.Returned.NOT_RECEIVED))
                    .forEach(out::add);
            return true;
        }
        var until = now.plus(channel.terms.acceptWithin());
        for (var task : tasks) {
            roster.give(worker, task);
            channel.unaccepted.put(
                    task.lease().token(), new Unaccepted(now, until, task.spec().idempotent()));
        }
        waiting.add(channel);
        var term = one.term(settings);
        if (!term.equals(settings.lease())) {
            var tokens = tasks.stream().map(task -> task.lease().token()).toList();
            out.add(new SetTerm(worker, tokens, term));
        }
        out.add(new PushTasks(channel.socket, tasks, term));
        ask(channel);
        return true;
    }

    /// The worker has accepted tasks. About a task that it holds no more it is sent a cancel: about as many as it may get at once, since it
    /// chooses how many it names. About others it is sent one when it names them again.
    void accept(long socket, List<LeaseToken> tokens) {
        var channel = find(socket);
        if (channel == null) {
            return;
        }
        var one = roster.find(channel.worker);
        var cancels = 0;
        for (var token : tokens) {
            if (one != null && channel.worker.equals(roster.holder(token))) {
                accepted(channel, token);
                roster.confirm(one, token);
            } else if (cancels < settings.limits().tasksPerPoll()) {
                cancels++;
                cancel(channel, token);
            }
        }
    }

    /// A worker has sent something about a task: it has it.
    void heardOf(WorkerId worker, LeaseToken token) {
        var one = roster.find(worker);
        if (one != null && worker.equals(roster.holder(token))) {
            adrift.remove(token);
            roster.confirm(one, token);
        }
        var channel = byWorker.get(worker);
        if (channel != null) {
            accepted(channel, token);
        }
    }

    private void accepted(Channel channel, LeaseToken token) {
        if (channel.worker.equals(roster.holder(token))) {
            adrift.remove(token);
        }
        if (channel.unaccepted.remove(token) != null) {
            channel.misses = 0;
            if (channel.unaccepted.isEmpty()) {
                waiting.remove(channel);
            }
        }
    }

    /// The worker refuses tasks, or they did not reach it. It gets no others before it reports that it takes some.
    void refuse(long socket, List<LeaseToken> tokens, LeaseEnd.Returned reason) {
        var channel = find(socket);
        if (channel == null) {
            return;
        }
        channel.isPaused = true;
        withdraw(channel);
        for (var token : tokens) {
            accepted(channel, token);
            if (channel.worker.equals(roster.holder(token)) && roster.drop(token)) {
                out.add(new End(token, reason));
            }
        }
    }

    /// Tasks were sent, and whether they reached the worker is not known. It gets no others before it reports that it takes some.
    void doubt(long socket, List<LeaseToken> tokens) {
        var channel = find(socket);
        if (channel == null) {
            return;
        }
        channel.isPaused = true;
        withdraw(channel);
        for (var token : tokens) {
            var task = channel.unaccepted.get(token);
            if (task != null) {
                accepted(channel, token);
                giveBack(token, task);
            }
        }
    }

    /// What an earlier process of the orchestrator gave the worker of the channel, and of which nothing was heard since, is pushed again
    /// under its lease, from now on whenever one hears of such a lease. A task that must not be done twice is in doubt when a worker
    /// that names what it has does not name it within its term; of another worker nothing is known before the attempt times out.
    ///
    /// @param namesTasks whether the worker names what it has
    void repeat(long socket, boolean namesTasks, Instant now) {
        var channel = find(socket);
        if (channel != null) {
            channel.isRepeating = true;
            channel.namesTasks = namesTasks;
            repeat(channel, now);
        }
    }

    /// One hears of a lease of an earlier process of the orchestrator.
    void recalled(WorkerId worker, Instant now) {
        var channel = byWorker.get(worker);
        if (channel != null && channel.isRepeating && !channel.isClosing) {
            repeat(channel, now);
        }
    }

    private void repeat(Channel channel, Instant now) {
        var one = roster.find(channel.worker);
        if (one == null) {
            return;
        }
        var term = one.term(settings);
        var again = new ArrayList<HandOut>();
        for (var task : one.heldLeases.takeRecalled()) {
            var token = task.lease().token();
            if (task.spec().idempotent()) {
                again.add(task);
                channel.unaccepted.put(
                        token, new Unaccepted(now, now.plus(channel.terms.acceptWithin()), true));
            } else {
                adrift.put(
                        token,
                        new Unaccepted(
                                now,
                                channel.namesTasks ? now.plus(term) : task.lease().timeout(),
                                false));
            }
        }
        if (!again.isEmpty()) {
            waiting.add(channel);
            out.add(new PushAgain(channel.socket, again, term));
        }
    }

    /// The worker takes tasks again.
    void resume(long socket) {
        var channel = find(socket);
        if (channel != null) {
            channel.isPaused = false;
            ask(channel);
        }
    }

    /// Tasks that were not accepted in time go to other workers; a worker that misses several in a row loses its channel.
    void expire(Instant now) {
        expireAdrift(now);
        for (var channel : List.copyOf(waiting)) {
            var expired = new ArrayList<LeaseToken>();
            for (var one : channel.unaccepted.entrySet()) {
                if (one.getValue().until().isAfter(now)) {
                    break;
                }
                expired.add(one.getKey());
            }
            expired.forEach(token -> miss(channel, token));
            if (channel.misses >= PushTerms.MOST_MISSES) {
                out.add(
                        new CloseSocket(
                                channel.socket,
                                BROKEN_TERMS,
                                channel.misses
                                        + " tasks in a row were neither accepted nor refused within "
                                        + channel.terms.acceptWithin()
                                        + "; register again"));
                giveUp(channel, now);
            } else if (channel.unaccepted.isEmpty()) {
                waiting.remove(channel);
            }
        }
    }

    private void expireAdrift(Instant now) {
        if (adrift.isEmpty()) {
            return;
        }
        for (var entry : List.copyOf(adrift.sequencedEntrySet())) {
            var token = entry.getKey();
            var holder = roster.holder(token);
            var one = holder == null ? null : roster.find(holder);
            if (one == null || !one.heldLeases.isUnconfirmed(token)) {
                adrift.remove(token);
            } else if (!entry.getValue().until().isAfter(now)) {
                giveBackAdrift(one.worker, token, entry.getValue());
            }
        }
    }

    /// A task of which the worker has confirmed the lease some other way, or that is over, is none that it missed.
    private void miss(Channel channel, LeaseToken token) {
        var task = channel.unaccepted.remove(token);
        var one = roster.find(channel.worker);
        if (task == null || one == null || !one.heldLeases.isUnconfirmed(token)) {
            channel.misses = 0;
            return;
        }
        channel.misses++;
        giveBack(token, task);
        cancel(channel, token);
    }

    private void cancel(Channel channel, LeaseToken token) {
        var job = token.address().map(address -> address.job().value()).orElse(null);
        out.add(new Push(channel.socket, new CancelTask(token.value(), job, token.value())));
    }

    private static <T extends Comparable<T>> T later(T one, T other) {
        return one.compareTo(other) < 0 ? other : one;
    }

    private void giveBack(LeaseToken token, Unaccepted task) {
        if (roster.drop(token)) {
            out.add(new End(token, task.end()));
        }
    }
}
