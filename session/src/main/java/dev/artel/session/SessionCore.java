package dev.artel.session;

import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.question.Question;
import dev.artel.protocol.AskQuestion;
import dev.artel.protocol.Heartbeat;
import dev.artel.protocol.OrchestratorMessage;
import dev.artel.protocol.Progress;
import dev.artel.protocol.QuestionAnswer;
import dev.artel.protocol.Register;
import dev.artel.protocol.Release;
import dev.artel.protocol.Renew;
import dev.artel.protocol.SocketMessage;
import dev.artel.protocol.TaskLog;
import dev.artel.protocol.TaskResult;
import dev.artel.protocol.WorkerMessage;
import dev.artel.session.SessionInput.ChannelOpened;
import dev.artel.session.SessionInput.ChannelRepeats;
import dev.artel.session.SessionInput.ChannelResumed;
import dev.artel.session.SessionInput.HandedOut;
import dev.artel.session.SessionInput.Held;
import dev.artel.session.SessionInput.LeaseLost;
import dev.artel.session.SessionInput.ListWorkers;
import dev.artel.session.SessionInput.NamelessOpened;
import dev.artel.session.SessionInput.Recalled;
import dev.artel.session.SessionInput.Renewed;
import dev.artel.session.SessionInput.Reported;
import dev.artel.session.SessionInput.RequestAbandoned;
import dev.artel.session.SessionInput.Reviewed;
import dev.artel.session.SessionInput.Revoked;
import dev.artel.session.SessionInput.Said;
import dev.artel.session.SessionInput.SaidResults;
import dev.artel.session.SessionInput.SocketClosed;
import dev.artel.session.SessionInput.SocketOpened;
import dev.artel.session.SessionInput.SocketSaid;
import dev.artel.session.SessionInput.TasksAccepted;
import dev.artel.session.SessionInput.TasksDoubted;
import dev.artel.session.SessionInput.TasksNotWritten;
import dev.artel.session.SessionInput.TasksRefused;
import dev.artel.session.SessionInput.TasksWritten;
import dev.artel.session.SessionInput.Tick;
import dev.artel.session.SessionOutput.Logged;
import dev.artel.session.SessionOutput.Progressed;
import dev.artel.session.SessionOutput.Reply;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// The conversation with all workers of an orchestrator, on whatever wire they are. One thread at a time.
public final class SessionCore {
    private final List<SessionOutput> out = new ArrayList<>();
    private final Roster roster;
    private final Membership membership;
    private final LeaseProtocol leases;
    private final TaskProtocol work;
    private final PushChannels channels;

    /// A conversation with no worker yet, where each has a token of its own.
    public SessionCore(SessionSettings settings) {
        this(settings, WorkerId::value);
    }

    /// A conversation with no worker yet.
    ///
    /// @param tokens whose token a worker has: the same for all that have one together; must not wait
    public SessionCore(SessionSettings settings, Function<WorkerId, String> tokens) {
        this.roster = new Roster(settings.limits(), tokens);
        this.leases = new LeaseProtocol(settings, roster, out);
        this.channels = new PushChannels(settings, roster, out);
        this.work = new TaskProtocol(settings, roster, channels, out);
        this.membership = new Membership(settings, roster, work, leases, channels, out);
    }

    /// Takes in `input`.
    ///
    /// @param now never before that of an earlier call
    /// @return what is to be done, in this order
    public List<SessionOutput> on(SessionInput input, Instant now) {
        roster.at(now);
        membership.begun(now);
        switch (input) {
            case Recalled(var worker, var words) -> membership.recall(worker, words);
            case Reviewed(var worker) -> membership.review(worker);
            case Said(var request, var worker, var message) ->
                    receive(request, worker, message, now);
            case SaidResults(var request, var worker, var results) ->
                    results(request, worker, results, now);
            case RequestAbandoned(var request) -> work.abandon(request);
            case TasksWritten(var request) -> work.written(request);
            case TasksNotWritten(var request, var why) -> work.notWritten(request, why);
            case NamelessOpened(var socket, var mayBe) -> leases.openNameless(socket, mayBe);
            case SocketOpened(var socket, var worker, var wire) ->
                    membership.openSocket(socket, worker, wire);
            case ChannelOpened(var socket, var worker, var terms) ->
                    membership.openChannel(socket, worker, terms, now);
            case TasksAccepted(var socket, var tokens) -> channels.accept(socket, tokens);
            case TasksRefused(var socket, var tokens, var reason) ->
                    channels.refuse(socket, tokens, reason);
            case TasksDoubted(var socket, var tokens) -> channels.doubt(socket, tokens);
            case ChannelRepeats(var socket, var namesTasks) ->
                    channels.repeat(socket, namesTasks, now);
            case ChannelResumed(var socket) -> channels.resume(socket);
            case SocketSaid(var socket, var message) -> receiveOnSocket(socket, message, now);
            case SocketClosed(var socket) -> membership.closeSocket(socket, now);
            case HandedOut(var ask, var worker, var tasks) -> work.handOut(ask, worker, tasks, now);
            case Revoked(var worker, var token) -> leases.revoke(worker, token, now);
            case LeaseLost(var worker, var token) -> leases.lose(worker, token);
            case Reported(var request, var index, var reply) ->
                    work.reported(request, index, reply);
            case Held(var task) -> membership.held(task, now);
            case Renewed(var request, var reply) -> leases.renewed(request, reply);
            case ListWorkers(var request) -> membership.snapshots(request, now);
            case Tick(var at) -> membership.tick(at, now);
        }
        var outputs = List.copyOf(out);
        out.clear();
        return outputs;
    }

    private void receive(long request, WorkerId worker, WorkerMessage message, Instant now) {
        switch (message) {
            case Register register -> membership.register(request, worker, register, now);
            case Heartbeat heartbeat -> membership.heartbeat(request, worker, heartbeat, now);
            case WorkerMessage.Poll poll -> poll(request, worker, poll, now);
            case TaskResult result -> results(request, worker, List.of(result), now);
            case Renew renew -> renew(request, worker, renew, now);
            case Release release -> leases.release(request, worker, release);
            case Progress progress -> {
                var isHeld = progress(worker, progress, now);
                var answer = new OrchestratorMessage.LogAnswer(isHeld, 1);
                out.add(new Reply(request, new SessionReply.Message(answer)));
            }
            case TaskLog log -> {
                membership.signOfLife(worker, now);
                heardOf(worker, log.lease());
                leases.log(request, worker, log);
            }
            case AskQuestion asked -> {
                membership.signOfLife(worker, now);
                heardOf(worker, asked.lease());
                question(request, worker, asked);
            }
            case WorkerMessage.Drain _ -> membership.drain(request, worker, now);
            case WorkerMessage.Disconnect _ -> membership.disconnect(request, worker);
        }
    }

    private void poll(long request, WorkerId worker, WorkerMessage.Poll poll, Instant now) {
        membership.signOfLife(worker, now);
        work.poll(request, worker, poll, now);
    }

    private void results(long request, WorkerId worker, List<TaskResult> results, Instant now) {
        membership.signOfLife(worker, now);
        work.results(request, worker, results);
    }

    private void question(long request, WorkerId worker, AskQuestion asked) {
        var token = LeaseTokens.of(asked.lease());
        if (token == null) {
            var stale = new QuestionAnswer.Ignored(QuestionAnswer.Ignored.STALE);
            out.add(new Reply(request, new SessionReply.Message(stale)));
        } else {
            out.add(
                    new SessionOutput.Question(
                            request,
                            worker,
                            token,
                            new Question(asked.id(), asked.question(), asked.choices()),
                            Optional.ofNullable(asked.within())));
        }
    }

    private void renew(long request, WorkerId worker, Renew renew, Instant now) {
        membership.signOfLife(worker, now);
        leases.renew(request, worker, renew);
        membership.watch(worker);
    }

    private void receiveOnSocket(long socket, SocketMessage message, Instant now) {
        var token = LeaseTokens.of(message.lease());
        var worker = token == null ? null : leases.sender(socket, token);
        if (token == null || worker == null) {
            return;
        }
        switch (message) {
            case Progress progress -> {
                var _ = progress(worker, progress, now);
            }
            case TaskLog log -> {
                membership.signOfLife(worker, now);
                channels.heardOf(worker, token);
                if (holds(worker, token)) {
                    out.add(new Logged(worker, token, log.lines()));
                }
            }
        }
    }

    /// @return whether the worker holds the lease of which it speaks
    private boolean progress(WorkerId worker, Progress progress, Instant now) {
        membership.signOfLife(worker, now);
        var token = LeaseTokens.of(progress.lease());
        if (token == null || !holds(worker, token)) {
            return false;
        }
        channels.heardOf(worker, token);
        // No part wants the progress of an attempt that was revoked.
        var one = roster.find(worker);
        if (one == null || !one.heldLeases.isRevoked(token)) {
            out.add(new Progressed(worker, token, progress.fraction(), progress.message()));
        }
        return true;
    }

    private void heardOf(WorkerId worker, String lease) {
        var token = LeaseTokens.of(lease);
        if (token != null) {
            channels.heardOf(worker, token);
        }
    }

    private boolean holds(WorkerId worker, LeaseToken token) {
        return worker.equals(roster.holder(token));
    }
}
