package dev.artel.session;

import dev.artel.kernel.attempt.LeaseEnd;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.engine.CommandReply;
import dev.artel.kernel.engine.HandOut;
import dev.artel.kernel.task.Payload;
import dev.artel.protocol.TaskResult;
import dev.artel.protocol.WorkerMessage.Poll;
import dev.artel.session.SessionOutput.Ask;
import dev.artel.session.SessionOutput.End;
import dev.artel.session.SessionOutput.Joined;
import dev.artel.session.SessionOutput.Reply;
import dev.artel.session.SessionOutput.Report;
import dev.artel.session.SessionOutput.SetTerm;
import dev.artel.session.SessionOutput.Withdraw;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/// How tasks go to workers and results come back.
final class TaskProtocol {
    /// How much earlier than its worker wants it a poll is answered at most, for the way back.
    /// How many bytes of large parameters one answer brings, if it brings several tasks.
    private static final long MOST_BYTES_OF_ANSWER = 1 << 20;

    private static final Duration LONGEST_MARGIN = Duration.ofSeconds(2);

    private static final Duration SOON = Duration.ofSeconds(1);

    private final SessionSettings settings;
    private final Roster roster;
    private final PushChannels channels;
    private final List<SessionOutput> out;
    private final ParkedPolls parked;

    /// Answers with tasks that are being written.
    private final SequencedMap<Long, List<LeaseToken>> flights = new LinkedHashMap<>();

    private final SequencedMap<Long, ReportAnswers> reports = new LinkedHashMap<>();

    TaskProtocol(
            SessionSettings settings,
            Roster roster,
            PushChannels channels,
            List<SessionOutput> out) {
        this.settings = settings;
        this.roster = roster;
        this.channels = channels;
        this.out = out;
        parked = new ParkedPolls(settings.limits().polls());
    }

    /// A worker waits for tasks.
    void poll(long request, WorkerId worker, Poll message, Instant now) {
        var max = message.max();
        var limits = settings.limits();
        if (parked.count(worker) >= limits.pollsPerWorker()) {
            var detail =
                    "worker "
                            + worker
                            + ": "
                            + limits.pollsPerWorker()
                            + " polls wait already; wait for their answers";
            out.add(new Reply(request, new SessionReply.TooMany(SOON, detail)));
            return;
        }
        var one = roster.find(worker);
        var token = roster.tokenOf(worker);
        if (parked.size() >= limits.polls() || !parked.hasRoom(token, one != null)) {
            var detail =
                    one == null
                            ? "worker "
                                    + worker
                                    + " is not registered, and too many polls of such workers wait; register"
                            : "too many polls wait, and those of a token have half of the places that others leave; try again later";
            out.add(new Reply(request, new SessionReply.TryLater(SOON, detail)));
            return;
        }
        if (one != null && !takes(one, message)) {
            var detail = "what all workers declare has no room for the task types of this poll";
            out.add(new Reply(request, new SessionReply.TryLater(SOON, detail)));
            return;
        }
        var form = max == 0 ? SessionReply.Form.SINGLE : SessionReply.Form.LIST;
        var most = Math.clamp(max, 1, limits.tasksPerPoll());
        if (one != null) {
            most = Math.min(most, one.mostPerPoll);
        }
        parked.add(
                new ParkedPolls.Poll(
                        request, worker, token, one != null, most, form, now.plus(hold(message))));
        if (one != null) {
            reportProfile(one);
            out.add(new Ask(request, worker, most));
        }
    }

    /// Takes what a poll declares of its worker, if there is memory for it.
    @SuppressWarnings("ReferenceEquality") // one that declares nothing new leaves it as it is
    private boolean takes(WorkerSession one, Poll message) {
        var asking = one.workerStatus.asking(message);
        if (asking == one.workerStatus) {
            return true;
        }
        if (!roster.takes(one.worker, asking)) {
            return false;
        }
        one.workerStatus = asking;
        return true;
    }

    /// As long as the orchestrator likes to hold it, but never so long that the worker has given it up.
    private Duration hold(Poll message) {
        var timeout = message.timeout();
        if (timeout == null) {
            return settings.hold();
        }
        var tenth = timeout.dividedBy(10);
        var margin = tenth.compareTo(LONGEST_MARGIN) > 0 ? LONGEST_MARGIN : tenth;
        var most = timeout.minus(margin);
        return most.compareTo(settings.hold()) < 0 ? most : settings.hold();
    }

    /// Sends the engine the profile of a worker if it has changed.
    void reportProfile(WorkerSession one) {
        var changed = one.changedProfile();
        if (changed != null) {
            out.add(new Joined(changed));
        }
    }

    int polls(WorkerId worker) {
        return parked.count(worker);
    }

    /// The worker has become known: its polls are worth an ask.
    void askForPolls(WorkerId worker) {
        parked.of(worker).forEach(poll -> out.add(new Ask(poll.request(), worker, poll.max())));
        channels.ask(worker);
    }

    /// Whether a poll or a channel waits for tasks for the worker, so that it is there although it is silent.
    boolean isWaitedFor(WorkerId worker) {
        return parked.count(worker) > 0 || channels.isOpen(worker);
    }

    /// Answers the polls of a worker that gets nothing more for now.
    void dismissPolls(WorkerId worker) {
        channels.withdraw(worker);
        for (var poll : parked.of(worker)) {
            parked.remove(poll.request());
            dismiss(poll);
        }
    }

    void expire(Instant now) {
        parked.expire(now).forEach(this::dismiss);
        channels.expire(now);
    }

    private void dismiss(ParkedPolls.Poll poll) {
        withdraw(poll);
        out.add(new Reply(poll.request(), new SessionReply.NoTask()));
    }

    void abandon(long request) {
        var poll = parked.remove(request);
        if (poll != null) {
            withdraw(poll);
        }
    }

    private void withdraw(ParkedPolls.Poll poll) {
        if (roster.find(poll.worker()) != null) {
            out.add(new Withdraw(poll.request()));
        }
    }

    void handOut(long ask, WorkerId worker, List<HandOut> tasks, Instant now) {
        if (channels.handOut(ask, worker, tasks, now)) {
            return;
        }
        var tokens = tasks.stream().map(task -> task.lease().token()).toList();
        var one = roster.find(worker);
        var poll = parked.remove(ask);
        if (poll == null || one == null || !poll.worker().equals(worker)) {
            giveBack(tokens, LeaseEnd.Returned.NOT_RECEIVED);
            if (poll != null) {
                dismiss(poll);
            }
            return;
        }
        var taken = withRoom(tasks);
        var given = tokens.subList(0, taken.size());
        giveBack(tokens.subList(taken.size(), tokens.size()), LeaseEnd.Returned.NOT_SENT);
        one.hasRoomFor(taken.size(), tasks.size());
        taken.forEach(task -> roster.give(worker, task));
        given.forEach(one.heldLeases::poll);
        flights.put(ask, given);
        var term = one.term(settings);
        if (!term.equals(settings.lease())) {
            out.add(new SetTerm(worker, given, term));
        }
        out.add(new Reply(ask, new SessionReply.Tasks(taken, term, poll.form())));
    }

    /// As many tasks as one answer has room for: their large parameters are in memory at once when it is written.
    private static List<HandOut> withRoom(List<HandOut> tasks) {
        var bytes = 0L;
        for (var i = 0; i < tasks.size(); i++) {
            bytes += Payload.bytesApart(tasks.get(i).spec().params());
            if (bytes > MOST_BYTES_OF_ANSWER && i > 0) {
                return tasks.subList(0, i);
            }
        }
        return tasks;
    }

    void written(long request) {
        flights.remove(request);
    }

    void notWritten(long request, LeaseEnd.Returned why) {
        var tokens = flights.remove(request);
        if (tokens == null) {
            return;
        }
        var one = tokens.isEmpty() ? null : present(tokens.getFirst());
        tokens.stream().filter(roster::drop).forEach(token -> out.add(new End(token, why)));
        if (one != null) {
            reportProfile(one);
        }
    }

    private @Nullable WorkerSession present(LeaseToken token) {
        var holder = roster.holder(token);
        return holder == null ? null : roster.find(holder);
    }

    private void giveBack(List<LeaseToken> tokens, LeaseEnd.Returned why) {
        tokens.forEach(token -> out.add(new End(token, why)));
    }

    void results(long request, WorkerId worker, List<TaskResult> results) {
        var answers = new ReportAnswers(worker, results);
        reports.put(request, answers);
        for (var index = 0; index < results.size(); index++) {
            result(request, index, answers);
        }
        settle(request, answers);
    }

    private void result(long request, int index, ReportAnswers answers) {
        var result = answers.result(index);
        var token = ReportAnswers.token(result);
        if (token == null) {
            answers.answer(index, ReportAnswers.NOT_FOUND);
            return;
        }
        var holder = roster.holder(token);
        var isForeign = holder != null && !holder.equals(answers.worker);
        if (isForeign || isOfAnotherJob(result, token)) {
            answers.answer(index, ReportAnswers.MISMATCH);
            return;
        }
        channels.heardOf(answers.worker, token);
        var report = ReportAnswers.report(result.outcome());
        out.add(
                new Report(
                        request, index, answers.worker, token, report, ReportAnswers.cost(result)));
    }

    private static boolean isOfAnotherJob(TaskResult result, LeaseToken token) {
        return token.address()
                .filter(address -> !address.job().value().equals(result.jobId()))
                .isPresent();
    }

    void reported(long request, int index, CommandReply reply) {
        var answers = reports.get(request);
        if (answers == null) {
            return;
        }
        var token = ReportAnswers.token(answers.result(index));
        var one = roster.find(answers.worker);
        var isRevoked = token != null && one != null && one.heldLeases.isRevoked(token);
        answers.answer(index, reply, isRevoked);
        if (token != null && !(reply instanceof CommandReply.TryLater)) {
            roster.drop(token);
            if (one != null) {
                reportProfile(one);
            }
        }
        settle(request, answers);
    }

    private void settle(long request, ReportAnswers answers) {
        var reply = answers.reply();
        if (reply != null && reports.remove(request) != null) {
            out.add(new Reply(request, reply));
        }
    }
}
