package dev.artel.session;

import static dev.artel.session.Core.W1;
import static dev.artel.session.Core.W2;
import static dev.artel.session.Core.only;
import static dev.artel.session.Core.reply;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.kernel.attempt.LeaseEnd;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.engine.CommandReply;
import dev.artel.kernel.engine.HandOut;
import dev.artel.kernel.job.Decision;
import dev.artel.kernel.task.Payload;
import dev.artel.protocol.ResultAnswer;
import dev.artel.protocol.TaskOutcome;
import dev.artel.protocol.TaskResult;
import dev.artel.protocol.WorkerMessage;
import dev.artel.session.SessionInput.HandedOut;
import dev.artel.session.SessionInput.RequestAbandoned;
import dev.artel.session.SessionInput.TasksNotWritten;
import dev.artel.session.SessionOutput.Ask;
import dev.artel.session.SessionOutput.End;
import dev.artel.session.SessionOutput.Report;
import dev.artel.session.SessionOutput.SetTerm;
import dev.artel.session.SessionOutput.Withdraw;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class TaskProtocolTest {
    private final Core core = new Core();

    @Test
    void aPoll_asksForNoMoreThanTheWorkerWants_andThanOneAnswerMayBring() {
        core.register(W1);

        assertThat(asks(W1, 0)).extracting(Ask::max).containsExactly(1);
        assertThat(asks(W1, 7)).extracting(Ask::max).containsExactly(7);
        assertThat(asks(W1, 1_000_000)).extracting(Ask::max).containsExactly(100);
    }

    @Test
    void tooManyPollsOfOneWorker_areRefusedForNow() {
        core.register(W1);
        for (var poll = 0; poll < 16; poll++) {
            asks(W1, 0);
        }

        var seventeenth = core.send(W1, new WorkerMessage.Poll("w1", 0));

        assertThat(reply(seventeenth)).isInstanceOf(SessionReply.TooMany.class);
        assertThat(asks(W2, 0)).isEmpty();
    }

    /// Trap: a token for many names has all places for polls, and each long poll of others is refused.
    @Test
    void thePollsOfTheWorkersOfAToken_leavePlacesToOthers() {
        var few = few();
        var parked = 0;
        for (var i = 0; i < 200; i++) {
            var worker = new WorkerId("ev-" + i);
            few.register(worker);
            if (few.send(worker, new WorkerMessage.Poll(worker.value(), 0)).stream()
                    .noneMatch(SessionOutput.Reply.class::isInstance)) {
                parked++;
            }
        }
        few.register(W1);

        assertThat(parked).isEqualTo(80);
        assertThat(only(Ask.class, few.send(W1, new WorkerMessage.Poll("w1", 0)))).hasSize(1);

        few.send(new WorkerId("ev-0"), new WorkerMessage.Disconnect("ev-0"));
        few.send(W1, new WorkerMessage.Disconnect("w1"));
        few.register(new WorkerId("ev-100"));
        assertThat(
                        only(
                                Ask.class,
                                few.send(
                                        new WorkerId("ev-100"),
                                        new WorkerMessage.Poll("ev-100", 0))))
                .as("a place that is free again")
                .hasSize(1);
    }

    /// Trap: names that no worker ever registered have all places for polls, though they can bring nothing.
    @Test
    void pollsOfWorkersThatAreNotThere_haveFewPlaces_andLeaveThoseOfOthers() {
        var few = few();
        var replies = new ArrayList<SessionReply>();
        for (var i = 0; i < 200; i++) {
            var name = "ev-" + i;
            only(
                            SessionOutput.Reply.class,
                            few.send(new WorkerId(name), new WorkerMessage.Poll(name, 0)))
                    .forEach(answer -> replies.add(answer.reply()));
        }

        assertThat(replies)
                .hasSize(195)
                .allSatisfy(answer ->
                        assertThat(answer)
                                .isInstanceOfSatisfying(
                                        SessionReply.TryLater.class,
                                        later ->
                                                assertThat(later.detail())
                                                        .contains("is not registered")));
        few.register(new WorkerId("ev-7"));
        assertThat(
                        only(
                                Ask.class,
                                few.send(new WorkerId("ev-7"), new WorkerMessage.Poll("ev-7", 0))))
                .hasSize(1);
    }

    /// With 160 places for polls, and one token for all names that begin with `ev-`.
    private static Core few() {
        var limits = new SessionSettings.Limits(1_000, 1_000, 16, 160, 10, 64 << 20);
        return new Core(SessionSettings.DEFAULTS.withLimits(limits), "ev-");
    }

    @Test
    void aHandOutForAPollThatIsOver_goesBack() {
        core.register(W1);
        var poll = poll(W1);

        var abandoned = core.on(new RequestAbandoned(poll));
        var late = core.on(new HandedOut(poll, W1, List.of(core.task(W1, 1))));

        assertThat(abandoned).containsExactly(new Withdraw(poll));
        assertThat(late)
                .containsExactly(
                        new End(core.task(W1, 1).lease().token(), LeaseEnd.Returned.NOT_RECEIVED));
    }

    @Test
    void aHandOutThatCouldNotBeWritten_goesBack_onceAndOnlyIfItIsStillHeld() {
        core.register(W1);
        var poll = poll(W1);
        core.on(new HandedOut(poll, W1, List.of(core.task(W1, 1), core.task(W1, 2))));
        core.on(new SessionInput.LeaseLost(W1, core.task(W1, 2).lease().token()));

        var first = core.on(new TasksNotWritten(poll, LeaseEnd.Returned.NOT_RECEIVED));
        var second = core.on(new TasksNotWritten(poll, LeaseEnd.Returned.NOT_RECEIVED));

        assertThat(first)
                .containsExactly(
                        new End(core.task(W1, 1).lease().token(), LeaseEnd.Returned.NOT_RECEIVED));
        assertThat(second).isEmpty();
    }

    @Test
    void aHandOutToAWorkerThatIsGone_goesBack_andItsPollIsAnswered() {
        var poll = poll(W1);

        var outputs = core.on(new HandedOut(poll, W1, List.of(core.task(W1, 1))));

        assertThat(only(End.class, outputs)).hasSize(1);
        assertThat(reply(outputs)).isInstanceOf(SessionReply.NoTask.class);
    }

    /// Trap: a poll for a hundred tasks brings a hundred megabytes of parameters, all of them in memory at once.
    @Test
    void tasksWithLargeParameters_comeInSeveralAnswers() {
        core.register(W1);
        var poll = poll(W1);
        var tasks = new ArrayList<HandOut>();
        for (var nonce = 1; nonce <= 3; nonce++) {
            var task = core.task(W1, nonce);
            var large = new Payload.Ref("0".repeat(64), 700_000);
            tasks.add(new HandOut(task.job(), 0, task.lease(), task.spec().withParams(large), 0));
        }

        var outputs = core.on(new HandedOut(poll, W1, tasks));

        assertThat(((SessionReply.Tasks) reply(outputs)).tasks()).containsExactly(tasks.getFirst());
        assertThat(only(End.class, outputs))
                .containsExactly(
                        new End(tasks.get(1).lease().token(), LeaseEnd.Returned.NOT_SENT),
                        new End(tasks.get(2).lease().token(), LeaseEnd.Returned.NOT_SENT));
        assertThat(
                        only(
                                End.class,
                                core.on(new TasksNotWritten(poll, LeaseEnd.Returned.NOT_RECEIVED))))
                .hasSize(1);
    }

    /// Trap: a poll for a hundred tasks is granted a hundred large ones again and again, and gives ninety-nine of them back.
    @Test
    void aPollAfterAFullAnswer_asksForAsManyTasksAsItHadRoomFor_andForMoreAfterwards() {
        core.register(W1);

        core.on(new HandedOut(poll(W1), W1, large(1, 700_000, 700_000)));
        assertThat(asks(W1, 100)).extracting(Ask::max).containsExactly(1);

        core.on(new HandedOut(poll(W1), W1, large(3, 700_000)));
        assertThat(asks(W1, 100)).extracting(Ask::max).containsExactly(2);

        core.on(new HandedOut(poll(W1), W1, large(4, 700)));
        core.on(new HandedOut(poll(W1), W1, large(5, 700, 700)));
        assertThat(asks(W1, 100)).extracting(Ask::max).containsExactly(4);
    }

    private List<HandOut> large(int nonce, long... bytes) {
        var tasks = new ArrayList<HandOut>();
        for (var i = 0; i < bytes.length; i++) {
            var task = core.task(W1, nonce + i);
            var large = new Payload.Ref("0".repeat(64), bytes[i]);
            tasks.add(new HandOut(task.job(), 0, task.lease(), task.spec().withParams(large), 0));
        }
        return tasks;
    }

    @Test
    void aTaskForAWorkerWithATermOfItsOwn_isGivenThatTerm() {
        core.register(W1, JsonObject.of("lease_ms", JsonNumber.of(5_000)));
        var poll = poll(W1);

        var outputs = core.on(new HandedOut(poll, W1, List.of(core.task(W1, 1))));

        assertThat(only(SetTerm.class, outputs).getFirst().term()).isEqualTo(Duration.ofSeconds(5));
        assertThat(((SessionReply.Tasks) reply(outputs)).lease()).isEqualTo(Duration.ofSeconds(5));
    }

    @Test
    void aReport_isAnsweredWhenTheEngineHasAnswered() {
        core.register(W1);
        var token = core.give(W1);

        var outputs =
                core.send(W1, result(token.address().orElseThrow().job().value(), token.value()));
        var report = only(Report.class, outputs).getFirst();
        assertThat(only(SessionOutput.Reply.class, outputs)).isEmpty();
        var answered = reported(report, new CommandReply.Done(true));

        assertThat(answers(answered))
                .containsExactly(new ResultAnswer("result_accepted_success", null));
    }

    @Test
    void aReportThatTheRulesRefuse_isIgnoredWithAReason() {
        core.register(W1);
        for (var reason : Decision.Reason.values()) {
            var token = core.give(W1);
            var job = token.address().orElseThrow().job().value();
            var report = only(Report.class, core.send(W1, result(job, token.value()))).getFirst();

            var answered = reported(report, new CommandReply.Refused(reason, "no"));

            assertThat(answers(answered).getFirst().status()).isEqualTo("ignored");
        }
    }

    @Test
    void aReportForAnotherJobThanItsLease_neverReachesTheEngine() {
        core.register(W1);
        var token = core.give(W1);

        var outputs = core.send(W1, result("another-job", token.value()));

        assertThat(only(Report.class, outputs)).isEmpty();
        assertThat(answers(outputs)).containsExactly(ResultAnswer.ignored("mismatch"));
    }

    @Test
    void severalReports_areAnsweredTogether_andAllAgainIfOneHasToWait() {
        core.register(W1);
        var first = core.give(W1);
        var second = core.give(W1);
        var results =
                List.of(
                        result(first.address().orElseThrow().job().value(), first.value()),
                        result(second.address().orElseThrow().job().value(), second.value()),
                        result("no-job", "no-token"));

        var outputs = core.on(new SessionInput.SaidResults(core.number(), W1, results));
        var reports = only(Report.class, outputs);
        assertThat(reports).hasSize(3);
        reported(reports.get(0), new CommandReply.Done(true));
        reported(reports.get(2), new CommandReply.Refused(Decision.Reason.UNKNOWN_JOB, "no"));
        var later = new CommandReply.TryLater(Duration.ofSeconds(3), "the store is away");
        var answered = reported(reports.get(1), later);

        assertThat(reply(answered))
                .isEqualTo(new SessionReply.TryLater(Duration.ofSeconds(3), "the store is away"));
    }

    private List<SessionOutput> reported(Report report, CommandReply reply) {
        return core.on(new SessionInput.Reported(report.request(), report.index(), reply));
    }

    private static List<ResultAnswer> answers(List<SessionOutput> outputs) {
        return ((SessionReply.Results) reply(outputs)).answers();
    }

    private static TaskResult result(String job, String task) {
        return new TaskResult(job, task, "w1", null, TaskOutcome.success(JsonObject.EMPTY));
    }

    private long poll(WorkerId worker) {
        var poll = core.number();
        core.on(new SessionInput.Said(poll, worker, new WorkerMessage.Poll(worker.value(), 1)));
        return poll;
    }

    private List<Ask> asks(WorkerId worker, int max) {
        return only(Ask.class, core.send(worker, new WorkerMessage.Poll(worker.value(), max)));
    }
}
