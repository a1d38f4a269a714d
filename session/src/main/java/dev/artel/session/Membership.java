package dev.artel.session;

import dev.artel.json.JsonObject;
import dev.artel.kernel.attempt.LeaseEnd;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.attempt.WorkerInstance;
import dev.artel.kernel.engine.HandOut;
import dev.artel.protocol.Heartbeat;
import dev.artel.protocol.HeartbeatAnswer;
import dev.artel.protocol.OrchestratorMessage;
import dev.artel.protocol.Register;
import dev.artel.protocol.RegisterAnswer;
import dev.artel.session.SessionOutput.End;
import dev.artel.session.SessionOutput.Left;
import dev.artel.session.SessionOutput.NameShared;
import dev.artel.session.SessionOutput.Renew;
import dev.artel.session.SessionOutput.Reply;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Who is there: registrations, heartbeats, farewells and silence.
final class Membership {
    private static final Duration SWEEP = Duration.ofSeconds(1);

    /// After how long without a tick the process was not running, so that no worker could be heard.
    private static final Duration STANDSTILL = Duration.ofSeconds(3);

    private static final Duration WHEN_FULL = Duration.ofSeconds(10);

    private final SessionSettings settings;
    private final Roster roster;
    private final TaskProtocol work;
    private final LeaseProtocol leases;
    private final PushChannels channels;
    private final List<SessionOutput> out;

    /// Whom to look at next. A worker that is heard of stays where it is: when its turn comes it gets another one, so
    /// that each costs something once in its longest silence, not with each of its words.
    private final PriorityQueue<Look> looks = new PriorityQueue<>(Comparator.comparing(Look::at));

    private Instant nextSweep = Instant.MIN;

    /// The time of the last tick, or of the first input before there was one; null before that.
    private @Nullable Instant ticked;

    /// Names the worker, and does not hold what is known of it: looks outlive those who leave.
    ///
    /// @param at which of the looks at a worker counts: the one that it knows of
    private record Look(Instant at, WorkerId worker) {}

    Membership(
            SessionSettings settings,
            Roster roster,
            TaskProtocol work,
            LeaseProtocol leases,
            PushChannels channels,
            List<SessionOutput> out) {
        this.settings = settings;
        this.roster = roster;
        this.work = work;
        this.leases = leases;
        this.channels = channels;
        this.out = out;
    }

    void register(long request, WorkerId worker, Register sent, Instant now) {
        var message = sent.origin().instance() == null ? sent.named(unnamed(now)) : sent;
        var known = roster.find(worker);
        var workerStatus = WorkerStatus.of(message);
        if (known == null && roster.isFullFor(worker, workerStatus)) {
            out.add(new Reply(request, full()));
            return;
        }
        var before = known == null ? roster.lastWords(worker) : known.workerStatus;
        if (!roster.takes(worker, workerStatus)) {
            out.add(new Reply(request, noRoom()));
            return;
        }
        if (isAnotherProcess(before, sent)) {
            out.add(new Left(worker, LeaseEnd.Lost.WORKER_RESTARTED));
            if (known != null) {
                roster.dropLeases(known);
                work.dismissPolls(worker);
                known.startAnew();
            } else {
                roster.dropStrays(worker);
            }
        }
        if (known == null) {
            begin(worker, workerStatus, now);
        } else {
            known.nameSharing.registers(
                    workerStatus.instance(), known.workerStatus.instance(), now);
            known.workerStatus = workerStatus;
            known.seen(now);
            known.drains = false;
            work.reportProfile(known);
            channels.ask(worker);
            watch(known);
            endOthers(known);
        }
        var shared = known == null ? null : shared(known, now);
        var warning =
                Stream.of(shared, message.warning())
                        .filter(Objects::nonNull)
                        .collect(Collectors.joining("; "));
        var answer =
                new RegisterAnswer(
                        "registered",
                        workerStatus.term(settings.lease()),
                        warning.isEmpty() ? null : warning);
        var isKept = before != null && message.equals(before.registration());
        out.add(
                isKept
                        ? reply(request, answer)
                        : new SessionOutput.Keep(request, worker, workerStatus.record(), answer));
    }

    /// The warning of a worker whose name several processes use, which is reported; null if there is one process.
    private @Nullable String shared(WorkerSession one, Instant now) {
        var other = one.nameSharing.other(now);
        if (other.isEmpty()) {
            return null;
        }
        if (one.nameSharing.isToBeReported(now)) {
            out.add(new NameShared(one.worker, one.workerStatus.instance(), other.get()));
        }
        return NameShared.WARNING;
    }

    /// The name of a process that does not name itself: it registers once.
    private static String unnamed(Instant now) {
        return "registered " + now;
    }

    /// A lease is live that this conversation knows nothing of: whether its worker has the task, the worker's own
    /// messages must show.
    void held(HandOut task, Instant now) {
        var token = task.lease().token();
        if (roster.holder(token) == null) {
            roster.recallLease(task.lease().worker(), task);
        }
        var present = roster.find(task.lease().worker());
        if (present == null) {
            return;
        }
        if (task.lease().instance().isOtherThan(present.workerStatus.instance())) {
            endOfOther(token);
        } else {
            channels.recalled(present.worker, now);
        }
    }

    /// What another process of the worker held, this one does not have, whatever became of the end of that one: it may have been lost
    /// with a process of the orchestrator.
    private void endOthers(WorkerSession one) {
        one.heldLeases.ofOthersThan(one.workerStatus.instance()).forEach(this::endOfOther);
    }

    private void endOfOther(LeaseToken token) {
        roster.drop(token);
        out.add(new End(token, LeaseEnd.Lost.WORKER_RESTARTED));
    }

    private static Reply reply(long request, RegisterAnswer answer) {
        return new Reply(request, new SessionReply.Message(answer));
    }

    void recall(WorkerId worker, Register message) {
        roster.recall(worker, WorkerStatus.of(message));
    }

    void review(WorkerId worker) {
        var present = roster.find(worker);
        if (present != null) {
            present.reportAgain();
            work.reportProfile(present);
        }
    }

    /// Workers that name no process register once per process. Of one that was only heard so far, the process
    /// that registers may well be the same.
    private static boolean isAnotherProcess(@Nullable WorkerStatus before, Register message) {
        var instance = message.origin().instance();
        if (instance == null) {
            return true;
        }
        return before != null
                && before.registration() != null
                && before.instance().isOtherThan(WorkerInstance.named(instance));
    }

    /// A heartbeat of an unknown worker registers it if it declares what the worker takes. Otherwise nothing could ever be
    /// given to it, and it would not know: the answer asks it to register.
    void heartbeat(long request, WorkerId worker, Heartbeat message, Instant now) {
        var present = roster.find(worker);
        var remembered = roster.lastWords(worker);
        var introduction =
                switch (message) {
                    case Heartbeat.Full full when full.available() != null ->
                            WorkerStatus.unregistered(worker);
                    case Heartbeat.Full _, Heartbeat.Empty _ -> null;
                };
        var workerStatus = remembered == null ? introduction : remembered;
        if (present == null && workerStatus == null) {
            out.add(new Reply(request, new SessionReply.UnknownWorker()));
            return;
        }
        if (present == null && workerStatus != null && roster.isFullFor(worker, workerStatus)) {
            out.add(new Reply(request, full()));
            return;
        }
        if (present == null && workerStatus != null) {
            workerStatus = workerStatus.in(message);
        }
        var merged = merge(present == null ? workerStatus : present.workerStatus, message, worker);
        var isKnown = present != null && merged.hasRecordOf(present.workerStatus);
        if (!isKnown && !roster.takes(worker, merged)) {
            out.add(new Reply(request, noRoom()));
            return;
        }
        if (present == null) {
            present = begin(worker, merged, now);
        } else {
            present.workerStatus = merged;
            present.seen(now);
        }
        answer(request, present, message, now);
    }

    private static WorkerStatus merge(
            @Nullable WorkerStatus workerStatus, Heartbeat message, WorkerId worker) {
        var before = workerStatus == null ? WorkerStatus.unregistered(worker) : workerStatus;
        return switch (message) {
            case Heartbeat.Full full -> before.merge(full);
            case Heartbeat.Empty _ -> before;
        };
    }

    private void answer(long request, WorkerSession one, Heartbeat message, Instant now) {
        var listed = List.<LeaseToken>of();
        var record = JsonObject.EMPTY;
        if (message instanceof Heartbeat.Full full) {
            if (full.instance() != null) {
                one.nameSharing.hears(
                        WorkerInstance.named(full.instance()), one.workerStatus.instance(), now);
            }
            record = one.workerStatus.record();
            if (full.currentTasks() != null) {
                listed = LeaseTokens.among(full.currentTasks());
                one.listed(listed, now);
            } else if (full.load() != null) {
                one.counted(full.load(), now);
            }
        }
        forgetWhatWasDropped(one);
        work.reportProfile(one);
        watch(one);
        var cancel = LeaseTokens.texts(one.heldLeases.revoked());
        var status =
                record.isEmpty()
                        ? HeartbeatAnswer.REFRESHED.status()
                        : one.workerStatus.status().word();
        var notHeld = new TreeSet<>(one.notHeld);
        var lost = listed.stream().filter(notHeld::contains).toList();
        var answer = new HeartbeatAnswer(status, cancel, false, null, shared(one, now));
        out.add(new Reply(request, new SessionReply.Refreshed(answer, record, lost)));
        if (one.namesItsLeases) {
            leases.renewListed(request, one, listed);
        } else {
            var believed = one.heldLeases.believed();
            if (!believed.isEmpty()) {
                out.add(new Renew(one.worker, believed, one.term(settings)));
            }
        }
    }

    private void forgetWhatWasDropped(WorkerSession one) {
        for (var token : one.heldLeases.droppedQuietly()) {
            lost(token);
        }
        if (!one.namesItsLeases) {
            return;
        }
        var missing = one.heldLeases.missing();
        channels.listedWithout(one.worker, missing);
        if (channels.isOpen(one.worker)) {
            // What was accepted, or listed once, is in every list from then on. Before that it may
            // be on its way, pushed or as the
            // answer to a last poll.
            missing.stream()
                    .filter(token -> !one.heldLeases.isUnconfirmed(token))
                    .forEach(this::lost);
        }
    }

    private void lost(LeaseToken token) {
        roster.drop(token);
        out.add(new End(token, LeaseEnd.Lost.UNCONFIRMED));
    }

    /// A worker that was here before is back with its last words; one that never was stays unknown.
    void signOfLife(WorkerId worker, Instant now) {
        var present = roster.find(worker);
        if (present != null) {
            present.seen(now);
            work.reportProfile(present);
            return;
        }
        var remembered = roster.lastWords(worker);
        if (remembered != null && !isAgent(remembered) && !roster.isFullFor(worker, remembered)) {
            begin(worker, remembered, now);
        }
    }

    /// Whether it is an agent of the bus, which begins by its heartbeats alone: a late answer of one that was stopped would show it on no wire, where it takes
    /// its own name.
    private static boolean isAgent(WorkerStatus status) {
        var registration = status.registration();
        return registration != null && registration.isMarked();
    }

    void drain(long request, WorkerId worker, Instant now) {
        signOfLife(worker, now);
        var present = roster.find(worker);
        if (present == null) {
            out.add(new Reply(request, new SessionReply.UnknownWorker()));
            return;
        }
        present.drains = true;
        work.reportProfile(present);
        work.dismissPolls(worker);
        var answer = new OrchestratorMessage.DrainAnswer();
        out.add(new Reply(request, new SessionReply.Message(answer)));
    }

    void disconnect(long request, WorkerId worker) {
        var present = roster.find(worker);
        if (present != null) {
            part(present);
        }
        out.add(new Reply(request, new SessionReply.Done()));
    }

    void openChannel(long socket, WorkerId worker, PushTerms terms, Instant now) {
        openSocket(socket, worker, terms.wire());
        channels.open(socket, worker, terms, now);
    }

    void openSocket(long socket, @Nullable WorkerId worker, String wire) {
        leases.openSocket(socket, worker, wire);
        noteWire(worker);
    }

    /// The wire of `worker` may be another one now, which the engine is to know before the next task is placed.
    private void noteWire(@Nullable WorkerId worker) {
        var present = worker == null ? null : roster.find(worker);
        if (worker != null && present != null) {
            present.wire = leases.wire(worker);
            work.reportProfile(present);
        }
    }

    /// A worker whose tasks end with its channel is gone with it, unless it has come back by polls before that end was noticed: then
    /// what they brought stays its own.
    void closeSocket(long socket, Instant now) {
        var worker = leases.closeSocket(socket);
        var left = channels.close(socket, now);
        var present = left == null ? null : roster.find(left);
        if (present == null) {
            noteWire(worker);
            return;
        }
        var pushed = present.heldLeases.notPolled();
        if (work.polls(present.worker) == 0 && pushed.size() == present.heldLeases.size()) {
            part(present);
            return;
        }
        for (var token : pushed) {
            roster.drop(token);
            out.add(new End(token, LeaseEnd.Lost.WORKER_GONE));
        }
        noteWire(present.worker);
    }

    /// The time at which the conversation begins.
    void begun(Instant now) {
        if (ticked == null) {
            ticked = now;
        }
    }

    /// @param at when the tick was sent: that it had to wait since then makes no worker silent
    void tick(Instant at, Instant now) {
        if (ticked != null && Duration.between(ticked, at).compareTo(STANDSTILL) > 0) {
            roster.all().forEach(one -> one.couldNotBeHeardUntil(at));
        }
        ticked = at;
        work.expire(now);
        if (nextSweep.isAfter(at)) {
            return;
        }
        nextSweep = at.plus(SWEEP);
        while (!looks.isEmpty() && !looks.peek().at().isAfter(at)) {
            look(looks.remove(), at);
        }
        for (var token : roster.overdue(now)) {
            roster.drop(token);
            out.add(new End(token, LeaseEnd.Lost.EXPIRED));
        }
    }

    private void look(Look look, Instant now) {
        var one = roster.find(look.worker());
        if (one == null || !look.at().equals(one.lookedAt)) {
            return;
        }
        var isWaiting = work.isWaitedFor(one.worker);
        if (!isWaiting && one.isSilent(settings, now)) {
            part(one);
            return;
        }
        var overdueFrom = one.overdueFrom(settings);
        var isLate = !overdueFrom.isAfter(now);
        one.overdue = isLate && !isWaiting;
        work.reportProfile(one);
        lookAgain(one, isLate ? now.plus(SWEEP) : overdueFrom);
    }

    /// See [#watch(Conversation)].
    void watch(WorkerId worker) {
        var present = roster.find(worker);
        if (present != null) {
            watch(present);
        }
    }

    /// How long the worker may be silent may have become shorter.
    void watch(WorkerSession one) {
        var overdueFrom = one.overdueFrom(settings);
        if (overdueFrom.isBefore(one.lookedAt)) {
            lookAgain(one, overdueFrom);
        }
    }

    private void lookAgain(WorkerSession one, Instant at) {
        one.lookedAt = at;
        looks.add(new Look(at, one.worker));
    }

    void snapshots(long request, Instant now) {
        var workers =
                roster.all().stream().map(one -> one.present(work.polls(one.worker), now)).toList();
        out.add(new Reply(request, new SessionReply.Workers(workers)));
    }

    private WorkerSession begin(WorkerId worker, WorkerStatus workerStatus, Instant now) {
        var one = roster.begin(worker, workerStatus, now);
        one.wire = leases.wire(worker);
        work.reportProfile(one);
        work.askForPolls(worker);
        watch(one);
        endOthers(one);
        return one;
    }

    private void part(WorkerSession one) {
        out.add(new Left(one.worker, LeaseEnd.Lost.WORKER_GONE));
        roster.end(one);
        work.dismissPolls(one.worker);
    }

    private static SessionReply noRoom() {
        return new SessionReply.TryLater(
                WHEN_FULL,
                "what workers have declared takes all the memory that there is for it, of which those of a token have half of what others leave;"
                        + " declare fewer task types, models and labels, register fewer names, or give the orchestrator more memory");
    }

    private SessionReply full() {
        var most = settings.limits().workers();
        return new SessionReply.TryLater(
                WHEN_FULL,
                "this orchestrator serves "
                        + most
                        + " workers at most, and has no place for more of this token; try again later");
    }
}
