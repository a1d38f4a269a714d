package dev.artel.session;

import dev.artel.kernel.attempt.LeaseEnd;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.engine.RenewReply;
import dev.artel.kernel.fleet.WorkerProfile;
import dev.artel.protocol.CancelTask;
import dev.artel.protocol.OrchestratorMessage.LogAnswer;
import dev.artel.protocol.OrchestratorMessage.ReleaseAnswer;
import dev.artel.protocol.Progress;
import dev.artel.protocol.Release;
import dev.artel.protocol.Renew;
import dev.artel.protocol.RenewAnswer;
import dev.artel.protocol.TaskLog;
import dev.artel.session.SessionOutput.CloseSocket;
import dev.artel.session.SessionOutput.End;
import dev.artel.session.SessionOutput.Logged;
import dev.artel.session.SessionOutput.Progressed;
import dev.artel.session.SessionOutput.Push;
import dev.artel.session.SessionOutput.RenewOnly;
import dev.artel.session.SessionOutput.Reply;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The messages about leases that are held: renewals, releases, cancels, losses.
final class LeaseProtocol {
    private static final int REPLACED = 1008;
    private static final int MOST_MISSED = 100;
    private static final String NOT_HELD = "not_held";
    private static final String WHY_NOT_HELD =
            "the lease has ended or was never yours; stop this attempt";

    private final SessionSettings settings;
    private final Roster roster;
    private final List<SessionOutput> out;
    private final OpenSockets sockets = new OpenSockets();
    private final PushRoom pushRoom = new PushRoom();
    private final SequencedMap<Long, Question> questions = new LinkedHashMap<>();

    /// All workers.
    private record Anybody() implements Predicate<WorkerId> {
        @Override
        public boolean test(WorkerId worker) {
            return true;
        }
    }

    /// What the engine was asked about leases, and why.
    private sealed interface Question {
        WorkerId worker();

        List<LeaseToken> tokens();

        record Listed(WorkerId worker, List<LeaseToken> tokens) implements Question {}

        record Renewal(WorkerId worker, List<LeaseToken> tokens, Renew message)
                implements Question {}

        record Log(WorkerId worker, List<LeaseToken> tokens, TaskLog message) implements Question {}

        record Return(WorkerId worker, List<LeaseToken> tokens, LeaseEnd reason)
                implements Question {}
    }

    LeaseProtocol(SessionSettings settings, Roster roster, List<SessionOutput> out) {
        this.settings = settings;
        this.roster = roster;
        this.out = out;
    }

    /// A heartbeat lists what the worker has; the answer to the next one names what of it the worker does not hold.
    void renewListed(long request, WorkerSession one, List<LeaseToken> listed) {
        if (!listed.isEmpty()) {
            ask(request, new Question.Listed(one.worker, listed));
        }
    }

    void renew(long request, WorkerId worker, Renew message) {
        var one = roster.find(worker);
        if (one == null) {
            out.add(new Reply(request, new SessionReply.UnknownWorker()));
            return;
        }
        one.namesItsLeases = true;
        ask(
                request,
                new Question.Renewal(worker, LeaseTokens.among(message.leaseTokens()), message));
    }

    /// A worker that reports on an attempt lives, and still holds it.
    void log(long request, WorkerId worker, TaskLog message) {
        ask(
                request,
                new Question.Log(worker, LeaseTokens.among(List.of(message.lease())), message));
    }

    /// Works for a worker that is not known too: whether it holds the leases is decided by the engine.
    void release(long request, WorkerId worker, Release message) {
        var one = roster.find(worker);
        var reason =
                one != null && one.drains ? LeaseEnd.Returned.DRAINED : LeaseEnd.Returned.RELEASED;
        ask(request, new Question.Return(worker, LeaseTokens.among(message.leaseTokens()), reason));
    }

    private void ask(long request, Question question) {
        questions.put(request, question);
        if (question.tokens().isEmpty()) {
            renewed(request, new RenewReply.Renewed(List.of()));
            return;
        }
        var one = roster.find(question.worker());
        var term = one == null ? settings.lease() : one.term(settings);
        out.add(new RenewOnly(request, question.worker(), question.tokens(), term));
    }

    void renewed(long request, RenewReply reply) {
        var question = questions.remove(request);
        switch (reply) {
            case RenewReply.Renewed(var lost) -> settle(request, question, new TreeSet<>(lost));
            case RenewReply.TryLater(var after, var detail) -> {
                switch (question) {
                    // A heartbeat has its answer already, and the next one asks again.
                    case null -> {}
                    case Question.Listed _ -> {}
                    case Question.Renewal _, Question.Log _, Question.Return _ ->
                            out.add(new Reply(request, new SessionReply.TryLater(after, detail)));
                }
            }
        }
    }

    private void settle(long request, @Nullable Question question, Set<LeaseToken> missing) {
        switch (question) {
            case null -> {}
            case Question.Listed(var worker, var tokens) -> {
                confirm(worker, tokens, missing);
                var one = roster.find(worker);
                if (one != null) {
                    roster.keepNotHeld(one, missing);
                }
            }
            case Question.Renewal(var worker, var tokens, var message) -> {
                confirm(worker, tokens, missing);
                reportProgress(worker, message.progress());
                answer(request, worker, message, tokens, missing);
            }
            case Question.Log(var worker, var tokens, var message) -> {
                var kept = tokens.stream().filter(token -> !missing.contains(token)).toList();
                for (var token : kept) {
                    out.add(new Logged(worker, token, message.lines()));
                }
                var answer = new LogAnswer(!kept.isEmpty(), message.lines().size());
                out.add(new Reply(request, new SessionReply.Message(answer)));
            }
            case Question.Return(_, var tokens, var reason) -> {
                var released = tokens.stream().filter(token -> !missing.contains(token)).toList();
                for (var token : released) {
                    roster.drop(token);
                    out.add(new End(token, reason));
                }
                var answer = new ReleaseAnswer(LeaseTokens.texts(released));
                out.add(new Reply(request, new SessionReply.Message(answer)));
            }
        }
    }

    private void confirm(WorkerId worker, List<LeaseToken> tokens, Set<LeaseToken> missing) {
        var one = roster.find(worker);
        for (var token : tokens) {
            if (one != null && !missing.contains(token)) {
                roster.confirm(one, token);
            } else if (one != null && worker.equals(roster.holder(token))) {
                roster.drop(token);
            }
        }
    }

    private void reportProgress(WorkerId worker, List<Progress> reports) {
        for (var progress : reports) {
            var token = LeaseTokens.of(progress.lease());
            var one = roster.find(worker);
            var isWanted = one == null || token == null || !one.heldLeases.isRevoked(token);
            if (token != null && isWanted && worker.equals(roster.holder(token))) {
                out.add(new Progressed(worker, token, progress.fraction(), progress.message()));
            }
        }
    }

    private void answer(
            long request,
            WorkerId worker,
            Renew message,
            List<LeaseToken> tokens,
            Set<LeaseToken> missing) {
        var held = new TreeSet<>(tokens);
        held.removeAll(missing);
        var kept = new TreeSet<>(LeaseTokens.texts(List.copyOf(held)));
        var one = roster.find(worker);
        var lost =
                message.leaseTokens().stream()
                        .filter(text -> !kept.contains(text))
                        .distinct()
                        .map(text -> new RenewAnswer.Lost(text, NOT_HELD))
                        .toList();
        var reasons = new LinkedHashMap<String, String>();
        if (!lost.isEmpty()) {
            reasons.put(NOT_HELD, WHY_NOT_HELD);
        }
        var answer =
                new RenewAnswer(
                        message.leaseTokens().stream().filter(kept::contains).distinct().toList(),
                        lost,
                        one == null ? List.of() : LeaseTokens.texts(one.heldLeases.revoked()),
                        reasons);
        out.add(new Reply(request, new SessionReply.Message(answer)));
    }

    /// The engine wants an attempt to be given up: the worker receives the cancel at once if it has a socket, and
    /// with every answer until the lease is over.
    void revoke(WorkerId worker, LeaseToken token, Instant now) {
        roster.revoke(worker, token, now.plus(settings.cancelTimeout()));
        push(worker, token);
    }

    void lose(WorkerId worker, LeaseToken token) {
        if (roster.drop(token)) {
            push(worker, token);
        }
    }

    private void push(WorkerId worker, LeaseToken token) {
        var reached = sockets.reaching(worker, pushRoom.steps(roster.now()));
        pushRoom.take(reached.steps());
        reached.sockets().forEach(socket -> push(socket, token));
    }

    private void push(long socket, LeaseToken token) {
        var job = token.address().map(address -> address.job().value()).orElse(null);
        out.add(new Push(socket, new CancelTask(token.value(), job, token.value())));
    }

    /// The wire of a worker's socket.
    String wire(WorkerId worker) {
        return sockets.wire(worker);
    }

    void openNameless(long socket, Predicate<WorkerId> mayBe) {
        sockets.openNameless(socket, mayBe);
        pushMissed(socket);
    }

    void openSocket(long socket, @Nullable WorkerId worker, String wire) {
        if (worker == null) {
            openNameless(socket, new Anybody());
        } else {
            bind(socket, worker, wire);
        }
    }

    /// The cancels that workers without a socket of their own were to get before this one was open; those beyond
    /// the limit arrive with the answers to heartbeats.
    private void pushMissed(long socket) {
        var steps = Math.min(MOST_MISSED, pushRoom.steps(roster.now()));
        var left = steps;
        for (var worker : roster.revoking()) {
            if (left <= 0) {
                break;
            }
            left--;
            if (sockets.hasOwn(worker) || !sockets.mayBe(socket, worker)) {
                continue;
            }
            var missed = roster.revoked(worker);
            var some = missed.subList(0, Math.min(missed.size(), left));
            some.forEach(token -> push(socket, token));
            left -= some.size();
        }
        pushRoom.take(steps - left);
    }

    private void bind(long socket, WorkerId worker, String wire) {
        var replaced = sockets.open(socket, worker, wire);
        if (replaced != null) {
            out.add(new CloseSocket(replaced, REPLACED, "New connection established"));
        }
        var one = roster.find(worker);
        if (one != null) {
            one.heldLeases.revoked().forEach(token -> push(socket, token));
        }
    }

    /// Closes a socket.
    ///
    /// @return whose it was; null if that is not known
    @Nullable WorkerId closeSocket(long socket) {
        return sockets.close(socket);
    }

    /// Who sent a message about `token` over a socket; null if it is not the one who holds it. A socket of which
    /// whose worker was unknown belongs to the holder, if its token allows that.
    @Nullable WorkerId sender(long socket, LeaseToken token) {
        var holder = roster.holder(token);
        if (holder != null && sockets.mayBe(socket, holder)) {
            bind(socket, holder, WorkerProfile.HTTP);
            return holder;
        }
        return sockets.workerOf(socket);
    }
}
