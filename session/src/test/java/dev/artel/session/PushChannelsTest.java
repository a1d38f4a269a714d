package dev.artel.session;

import static dev.artel.session.Core.W1;
import static dev.artel.session.Core.W2;
import static dev.artel.session.Core.only;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.kernel.attempt.LeaseEnd;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.engine.HandOut;
import dev.artel.kernel.engine.RenewReply;
import dev.artel.kernel.job.JobId;
import dev.artel.protocol.AskQuestion;
import dev.artel.protocol.Progress;
import dev.artel.protocol.TaskOutcome;
import dev.artel.protocol.TaskResult;
import dev.artel.protocol.WorkerMessage;
import dev.artel.session.SessionInput.ChannelOpened;
import dev.artel.session.SessionInput.ChannelResumed;
import dev.artel.session.SessionInput.HandedOut;
import dev.artel.session.SessionInput.SocketClosed;
import dev.artel.session.SessionInput.TasksAccepted;
import dev.artel.session.SessionInput.TasksDoubted;
import dev.artel.session.SessionInput.TasksRefused;
import dev.artel.session.SessionOutput.Ask;
import dev.artel.session.SessionOutput.CloseSocket;
import dev.artel.session.SessionOutput.End;
import dev.artel.session.SessionOutput.Joined;
import dev.artel.session.SessionOutput.Left;
import dev.artel.session.SessionOutput.Push;
import dev.artel.session.SessionOutput.PushTasks;
import dev.artel.session.SessionOutput.Renew;
import dev.artel.session.SessionOutput.RenewOnly;
import dev.artel.session.SessionOutput.Withdraw;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class PushChannelsTest {
    private static final PushTerms STAYS = new PushTerms("zeromq", Duration.ofSeconds(2), true);
    private static final PushTerms ENDS = new PushTerms("websocket", Duration.ofSeconds(5), false);

    private final Core core = new Core();

    @Test
    void aChannel_asksForTasks_andAgainAfterEachHandOut() {
        core.register(W1);
        var opened = core.on(new ChannelOpened(1, W1, STAYS));
        var ask = only(Ask.class, opened).getFirst();

        var given = core.on(new HandedOut(ask.ask(), W1, List.of(core.task(W1, 1))));

        assertThat(ask.max()).isEqualTo(100);
        assertThat(only(PushTasks.class, given))
                .singleElement()
                .satisfies(pushed -> {
                    assertThat(pushed.socket()).isEqualTo(1);
                    assertThat(pushed.tasks()).hasSize(1);
                    assertThat(pushed.lease()).isEqualTo(Duration.ofSeconds(60));
                });
        assertThat(only(Ask.class, given))
                .singleElement()
                .satisfies(next -> assertThat(next.ask()).isNotEqualTo(ask.ask()));
    }

    @Test
    void aChannelOfAWorkerThatIsNotKnown_asksOnceItIs() {
        assertThat(core.on(new ChannelOpened(1, W1, STAYS))).isEmpty();

        assertThat(only(Ask.class, core.register(W1))).hasSize(1);
    }

    @Test
    void theEngineKnowsTheWireOfAWorker_beforeTheChannelAsks_andThatItIsGone() {
        core.register(W1);

        var opened = core.on(new ChannelOpened(1, W1, STAYS));
        var closed = core.on(new SocketClosed(1));

        assertThat(opened).hasSize(2).last().isInstanceOf(Ask.class);
        assertThat(wires(opened)).containsExactly("zeromq");
        assertThat(wires(closed)).containsExactly("http");
    }

    @Test
    void aWorkerThatRegistersOverItsChannel_isOnItsWireFromTheStart() {
        core.on(new ChannelOpened(1, W1, ENDS));

        assertThat(wires(core.register(W1))).containsExactly("websocket");
    }

    private static List<String> wires(List<SessionOutput> outputs) {
        return only(Joined.class, outputs).stream().map(joined -> joined.profile().wire()).toList();
    }

    @Test
    void aTaskThatIsAcceptedInTime_staysWithItsWorker() {
        var token = push(STAYS);

        core.on(new TasksAccepted(1, List.of(token)));

        assertThat(only(End.class, core.advance(Duration.ofSeconds(30)))).isEmpty();
    }

    @Test
    void aTaskThatIsNotAcceptedInTime_goesBack_andItsWorkerIsSentACancel() {
        var token = push(STAYS);

        assertThat(core.advance(Duration.ofSeconds(1))).isEmpty();
        var expired = core.advance(Duration.ofSeconds(1));

        assertThat(expired)
                .contains(new End(token, LeaseEnd.Returned.NOT_RECEIVED))
                .hasAtLeastOneElementOfType(Push.class);
        var late = core.on(new TasksAccepted(1, List.of(token)));
        assertThat(only(Push.class, late)).hasSize(1);
    }

    @Test
    void aTaskThatMustNotBeDoneTwice_isInDoubt_ifItIsNotAccepted() {
        core.register(W1);
        core.on(new ChannelOpened(1, W1, STAYS));
        var late = pushOnceOnly(1);

        assertThat(core.advance(Duration.ofSeconds(2)))
                .contains(new End(late, LeaseEnd.Lost.UNCONFIRMED));

        var unheard = pushOnceOnly(2);
        core.on(new SocketClosed(1));
        assertThat(core.advance(Duration.ofSeconds(60)))
                .contains(new End(unheard, LeaseEnd.Lost.UNCONFIRMED));
    }

    @Test
    void aTaskThatMustNotBeDoneTwice_goesBack_ifItsWorkerRefusesIt() {
        core.register(W1);
        core.on(new ChannelOpened(1, W1, STAYS));
        var token = pushOnceOnly(1);

        var refused = core.on(new TasksRefused(1, List.of(token), LeaseEnd.Returned.RELEASED));

        assertThat(only(End.class, refused))
                .containsExactly(new End(token, LeaseEnd.Returned.RELEASED));
    }

    @Test
    void whateverTheWorkerSendsAboutATask_acceptsIt() {
        var progressed = push(STAYS);
        core.send(W1, new Progress(null, progressed.value(), null, 0.5, "half"));
        assertThat(only(End.class, core.advance(Duration.ofSeconds(5)))).isEmpty();

        var listed = pushNext(2);
        core.beat(W1, "current_tasks", JsonArray.ofStrings(List.of(listed.value())));
        assertThat(only(End.class, core.advance(Duration.ofSeconds(5)))).isEmpty();
    }

    @Test
    void aResult_acceptsItsTask() {
        var token = push(STAYS);
        var job = token.address().orElseThrow().job().value();
        core.send(
                W1,
                new TaskResult(
                        job,
                        token.value(),
                        W1.value(),
                        token.value(),
                        new TaskOutcome.Succeeded("success", JsonObject.EMPTY)));

        assertThat(only(End.class, core.advance(Duration.ofSeconds(5)))).isEmpty();
    }

    @Test
    void threeTasksInARowThatAreNotAccepted_closeTheChannel() {
        push(STAYS);
        core.advance(Duration.ofSeconds(2));
        pushNext(2);
        core.advance(Duration.ofSeconds(2));
        pushNext(3);

        var third = core.advance(Duration.ofSeconds(2));

        assertThat(only(CloseSocket.class, third))
                .singleElement()
                .satisfies(close -> assertThat(close.reason()).contains("3 tasks in a row"));
        assertThat(only(Withdraw.class, third)).hasSize(1);
        assertThat(only(Ask.class, core.register(W1))).isEmpty();
    }

    @Test
    void theTasksOfAWorkerThatCannotComeBack_endWithAChannelThatWasClosedForItsMisses() {
        var kept = missThree(ENDS);

        var closed = core.on(new SocketClosed(1));

        assertThat(kept).isNotNull();
        assertThat(only(Left.class, closed))
                .containsExactly(new Left(W1, LeaseEnd.Lost.WORKER_GONE));
    }

    @Test
    void aChannelThatWasClosedForItsMisses_hasNothingMoreToSay() {
        var kept = missThree(STAYS);

        assertThat(core.on(new ChannelResumed(1))).isEmpty();
        assertThat(core.on(new TasksAccepted(1, List.of(kept)))).isEmpty();
        assertThat(core.on(new TasksRefused(1, List.of(kept), LeaseEnd.Returned.RELEASED)))
                .isEmpty();
    }

    @Test
    void anotherChannel_takesThePlaceOfOneThatWasClosedForItsMisses() {
        missThree(ENDS);

        var opened = core.on(new ChannelOpened(2, W1, ENDS));

        assertThat(only(Ask.class, opened)).hasSize(1);
        assertThat(only(Left.class, core.on(new SocketClosed(1)))).isEmpty();
        assertThat(only(Left.class, core.on(new SocketClosed(2)))).hasSize(1);
    }

    /// A worker accepts a task and overlooks three.
    ///
    /// @return the one that it has
    private LeaseToken missThree(PushTerms terms) {
        var kept = push(terms);
        core.on(new TasksAccepted(1, List.of(kept)));
        for (var nonce = 2; nonce < 5; nonce++) {
            pushNext(nonce);
            core.advance(terms.acceptWithin());
        }
        return kept;
    }

    @Test
    void oneThatIsAccepted_endsTheRow() {
        push(STAYS);
        core.advance(Duration.ofSeconds(2));
        pushNext(2);
        core.advance(Duration.ofSeconds(2));
        core.on(new TasksAccepted(1, List.of(pushNext(3))));
        pushNext(4);

        assertThat(only(CloseSocket.class, core.advance(Duration.ofSeconds(2)))).isEmpty();
    }

    @Test
    void aRefusedTask_goesBack_andNothingIsPushedBeforeTheWorkerTakesMore() {
        var token = push(STAYS);

        var refused = core.on(new TasksRefused(1, List.of(token), LeaseEnd.Returned.RELEASED));
        var resumed = core.on(new ChannelResumed(1));

        assertThat(refused)
                .hasAtLeastOneElementOfType(Withdraw.class)
                .contains(new End(token, LeaseEnd.Returned.RELEASED));
        assertThat(only(Ask.class, refused)).isEmpty();
        assertThat(only(Ask.class, resumed)).hasSize(1);
        assertThat(only(Ask.class, core.on(new ChannelResumed(1)))).isEmpty();
    }

    @Test
    void aChannelThatCloses_returnsWhatWasNotAccepted_andKeepsTheRest() {
        var kept = push(STAYS);
        core.on(new TasksAccepted(1, List.of(kept)));
        var lost = pushNext(2);

        var closed = core.on(new SocketClosed(1));

        assertThat(only(End.class, closed)).as("its worker may have begun").isEmpty();
        assertThat(only(End.class, core.advance(Duration.ofSeconds(9)))).isEmpty();
        assertThat(only(End.class, core.advance(Duration.ofSeconds(1))))
                .containsExactly(new End(lost, LeaseEnd.Returned.NOT_RECEIVED));
        assertThat(only(Left.class, closed)).isEmpty();
        assertThat(only(Withdraw.class, closed)).hasSize(1);
    }

    /// Trap: the acceptance of a task dies with the connection, its worker comes back a moment later and names the task, and another
    /// worker has it already.
    @Test
    void aTaskOfWhichTheWorkerIsHeardAfterItsChannelHasClosed_staysWithIt() {
        var accepted = push(STAYS);
        var reported = pushNext(2);
        var listed = pushNext(3);
        core.on(new SocketClosed(1));

        core.on(new ChannelOpened(2, W1, STAYS));
        core.on(new TasksAccepted(2, List.of(accepted)));
        core.on(
                new SessionInput.SocketSaid(
                        2, new Progress(null, reported.value(), reported.value(), 0.5, "on")));
        var beat = core.beat(W1, "current_tasks", JsonArray.ofStrings(List.of(listed.value())));
        var renewal = only(RenewOnly.class, beat).getFirst();
        core.on(new SessionInput.Renewed(renewal.request(), new RenewReply.Renewed(List.of())));

        assertThat(only(End.class, core.advance(Duration.ofSeconds(20)))).isEmpty();
    }

    /// Trap: a task was written to a connection that breaks, its worker is back over another wire and lists what it has, and the task
    /// waits until its lease has expired, which counts as a loss.
    @Test
    void aTaskThatTheListsOfItsWorkerLack_afterItsChannelHasClosed_goesBackAtOnce() {
        var token = push(STAYS);
        core.on(new SocketClosed(1));
        core.advance(Duration.ofSeconds(2));

        var first = core.beat(W1, "current_tasks", JsonArray.EMPTY);
        core.advance(Duration.ofSeconds(2));
        var second = core.beat(W1, "current_tasks", JsonArray.EMPTY);

        assertThat(only(End.class, first)).isEmpty();
        assertThat(only(End.class, second))
                .containsExactly(new End(token, LeaseEnd.Returned.NOT_RECEIVED));
    }

    @Test
    void aTaskThatMustNotBeDoneTwice_waitsForItsTerm_whateverTheListsOfItsWorkerLack() {
        core.register(W1);
        core.on(new ChannelOpened(1, W1, STAYS));
        pushOnceOnly(1);
        core.on(new SocketClosed(1));

        for (var beat = 0; beat < 5; beat++) {
            assertThat(only(End.class, core.advance(Duration.ofSeconds(2)))).isEmpty();
            assertThat(only(End.class, core.beat(W1, "current_tasks", JsonArray.EMPTY))).isEmpty();
        }
    }

    /// Trap: a task drifts for longer than its lease lasts, and is lost instead of given back.
    @Test
    void aTaskThatMayBeDoneTwice_goesBackBeforeItsLeaseExpires() {
        core.register(W1, JsonObject.of("lease_ms", JsonValue.of(10_000)));
        core.on(new ChannelOpened(1, W1, STAYS));
        var token = pushNext(1);
        core.on(new SocketClosed(1));

        assertThat(only(End.class, core.advance(Duration.ofSeconds(9))))
                .containsExactly(new End(token, LeaseEnd.Returned.NOT_RECEIVED));
    }

    /// Trap: another worker names a task that its own worker has not accepted, and the session never gives it back.
    @Test
    void aTaskOfWhichAnotherWorkerSpeaks_isGivenBackAllTheSame() {
        var asked = push(STAYS);
        var refused = pushNext(2);
        var reported = pushNext(3);
        core.on(new SocketClosed(1));
        core.register(W2, JsonObject.of("instance", new JsonString("other")));
        core.on(new ChannelOpened(2, W2, STAYS));

        core.send(
                W2, new AskQuestion("w2", asked.value(), asked.value(), "q", "?", List.of(), null));
        core.on(new TasksRefused(2, List.of(refused), LeaseEnd.Returned.RELEASED));
        core.on(
                new SessionInput.SocketSaid(
                        2, new Progress(null, reported.value(), reported.value(), 0.5, "on")));

        assertThat(only(End.class, core.advance(Duration.ofSeconds(10))))
                .extracting(End::token)
                .containsExactly(asked, refused, reported);
    }

    /// Trap: a connection breaks while a task is written, the task is taken for one that was not sent, and is done twice.
    @Test
    void aTaskThatMayHaveArrived_isInDoubt_ifItMustNotBeDoneTwice() {
        core.register(W1);
        core.on(new ChannelOpened(1, W1, STAYS));
        var onceOnly = pushOnceOnly(1);
        var repeatable = pushNext(2);

        var doubted = core.on(new TasksDoubted(1, List.of(onceOnly, repeatable)));

        assertThat(only(End.class, doubted))
                .containsExactly(
                        new End(onceOnly, LeaseEnd.Lost.UNCONFIRMED),
                        new End(repeatable, LeaseEnd.Returned.NOT_RECEIVED));
        assertThat(only(Ask.class, core.on(new ChannelResumed(1)))).hasSize(1);
    }

    /// Trap: the lease of a task is durable, the orchestrator dies before it sends the task, and the worker, which does not report what
    /// it has, keeps the lease alive.
    @Test
    void whatWasGivenBeforeARestart_isPushedAgainUnderItsLease_unlessItWasHeardOf() {
        var unheard = core.task(W1, 1);
        var heard = core.task(W1, 2);
        core.on(new SessionInput.Held(unheard));
        core.on(new SessionInput.Held(heard));
        core.register(W1, JsonObject.of("instance", new JsonString("p1")));
        core.on(new ChannelOpened(1, W1, STAYS));
        core.on(new TasksAccepted(1, List.of(heard.lease().token())));

        var again = core.on(new SessionInput.ChannelRepeats(1, true));

        assertThat(only(SessionOutput.PushAgain.class, again))
                .singleElement()
                .satisfies(pushed -> assertThat(pushed.tasks()).containsExactly(unheard));
        assertThat(core.on(new SessionInput.ChannelRepeats(1, true))).as("once").isEmpty();
        assertThat(only(End.class, core.advance(Duration.ofSeconds(2))))
                .containsExactly(new End(unheard.lease().token(), LeaseEnd.Returned.NOT_RECEIVED));
    }

    @Test
    void whatWasGivenBeforeARestart_andBecomesKnownLater_isPushedAgainAsWell() {
        core.register(W1, JsonObject.of("instance", new JsonString("p1")));
        core.on(new ChannelOpened(1, W1, STAYS));
        core.on(new SessionInput.ChannelRepeats(1, true));
        var late = core.task(W1, 1);

        assertThat(only(SessionOutput.PushAgain.class, core.on(new SessionInput.Held(late))))
                .hasSize(1);
    }

    /// Trap: a task that must not be done twice is sent again after a restart, and is done twice.
    @Test
    void whatWasGivenBeforeARestart_andMustNotBeDoneTwice_isInDoubt_ifNothingIsHeardOfIt() {
        var unheard = onceOnly(core.task(W1, 1));
        var heard = onceOnly(core.task(W1, 2));
        core.on(new SessionInput.Held(unheard));
        core.on(new SessionInput.Held(heard));
        core.register(W1, JsonObject.of("instance", new JsonString("p1")));
        core.on(new ChannelOpened(1, W1, STAYS));

        var again = core.on(new SessionInput.ChannelRepeats(1, true));
        core.on(new TasksAccepted(1, List.of(heard.lease().token())));

        assertThat(only(SessionOutput.PushAgain.class, again)).isEmpty();
        assertThat(only(End.class, core.advance(Duration.ofSeconds(61))))
                .containsExactly(new End(unheard.lease().token(), LeaseEnd.Lost.UNCONFIRMED));
    }

    /// Trap: each restart of the orchestrator puts in doubt what agents are at that cannot name it.
    @Test
    void whatWasGivenBeforeARestart_toAWorkerThatNamesNothing_isNotInDoubtBeforeItsTimeout() {
        var running = onceOnly(core.task(W1, 1));
        core.on(new SessionInput.Held(running));
        core.register(W1, JsonObject.of("instance", new JsonString("p1")));
        core.on(new ChannelOpened(1, W1, STAYS));
        core.on(new SessionInput.ChannelRepeats(1, false));

        assertThat(only(End.class, core.advance(Duration.ofSeconds(299)))).isEmpty();
        assertThat(only(End.class, core.advance(Duration.ofSeconds(1))))
                .containsExactly(new End(running.lease().token(), LeaseEnd.Lost.UNCONFIRMED));
    }

    /// Trap: an agent reports progress of a command from before a restart, and the command is sent again.
    @Test
    void whatWasHeardOfByProgress_isNotPushedAgain() {
        var task = core.task(W1, 1);
        core.on(new SessionInput.Held(task));
        core.register(W1, JsonObject.of("instance", new JsonString("p1")));
        core.on(new ChannelOpened(1, W1, STAYS));
        var token = task.lease().token().value();
        core.on(new SessionInput.SocketSaid(1, new Progress(null, token, token, 0.5, "on")));

        assertThat(
                        only(
                                SessionOutput.PushAgain.class,
                                core.on(new SessionInput.ChannelRepeats(1, true))))
                .isEmpty();
    }

    @Test
    void aTaskThatIsRenewedBeforeItIsAccepted_staysWithItsWorker_whenItsChannelIsReplaced() {
        var token = push(STAYS);
        var renewal =
                new SessionInput.Said(
                        9_001,
                        W1,
                        new dev.artel.protocol.Renew("w1", List.of(token.value()), List.of()));
        core.on(renewal);
        core.on(new SessionInput.Renewed(9_001, new RenewReply.Renewed(List.of())));

        assertThat(only(End.class, core.on(new ChannelOpened(2, W1, STAYS)))).isEmpty();
    }

    @Test
    void theTasksOfAWorkerThatCannotComeBack_endWithItsChannel() {
        var kept = push(ENDS);
        core.on(new TasksAccepted(1, List.of(kept)));

        var closed = core.on(new SocketClosed(1));

        assertThat(only(Left.class, closed))
                .containsExactly(new Left(W1, LeaseEnd.Lost.WORKER_GONE));
    }

    @Test
    void anotherChannelOfTheWorker_takesThePlaceOfTheFirst_whoseEndMeansNothing() {
        var unaccepted = push(ENDS);

        var replaced = core.on(new ChannelOpened(2, W1, ENDS));
        var closed = core.on(new SocketClosed(1));

        assertThat(only(End.class, replaced))
                .containsExactly(new End(unaccepted, LeaseEnd.Returned.NOT_RECEIVED));
        assertThat(only(CloseSocket.class, replaced)).hasSize(1);
        assertThat(only(Ask.class, replaced)).hasSize(1);
        assertThat(closed).isEmpty();
    }

    @Test
    void theLateEndOfAChannel_takesNothingFromAWorkerThatPollsMeanwhile() {
        var pushed = push(ENDS);
        core.on(new TasksAccepted(1, List.of(pushed)));
        var poll = core.number();
        core.on(new SessionInput.Said(poll, W1, new WorkerMessage.Poll("w1", 1)));
        var polled = core.task(W1, 7);
        core.on(new HandedOut(poll, W1, List.of(polled)));

        var closed = core.on(new SocketClosed(1));

        assertThat(only(Left.class, closed)).isEmpty();
        assertThat(only(End.class, closed))
                .containsExactly(new End(pushed, LeaseEnd.Lost.WORKER_GONE));
    }

    @Test
    void aWorkerThatDrains_isPushedNothing_untilItRegistersAgain() {
        var registration = JsonObject.of("instance", JsonValue.of("one"));
        core.register(W1, registration);
        core.on(new ChannelOpened(1, W1, STAYS));

        var drained = core.send(W1, new WorkerMessage.Drain("w1"));
        assertThat(only(Withdraw.class, drained)).hasSize(1);
        assertThat(only(Ask.class, core.on(new ChannelResumed(1)))).isEmpty();

        assertThat(only(Ask.class, core.register(W1, registration))).hasSize(1);
    }

    @Test
    void aWorkerWithAChannel_isNotGoneForItsSilence_sinceItsWireLooksAfterThat() {
        core.register(W1);
        core.on(new ChannelOpened(1, W1, STAYS));

        assertThat(only(Left.class, core.advance(Duration.ofMinutes(10)))).isEmpty();
    }

    @Test
    void tasksOfAChannel_areRenewedByTheHeartbeatsThatListThem() {
        var token = push(STAYS);
        core.on(new TasksAccepted(1, List.of(token)));

        var beat = core.beat(W1, "current_tasks", JsonArray.ofStrings(List.of(token.value())));

        assertThat(only(RenewOnly.class, beat))
                .singleElement()
                .satisfies(renewal -> assertThat(renewal.tokens()).containsExactly(token));
        assertThat(only(Renew.class, beat)).isEmpty();
    }

    @Test
    void anAcceptedTask_thatTwoHeartbeatsInARowDoNotList_isLost() {
        var token = push(STAYS);
        core.on(new TasksAccepted(1, List.of(token)));

        assertThat(only(End.class, beatLater())).isEmpty();
        beatLater(token.value());
        assertThat(only(End.class, beatLater())).isEmpty();
        assertThat(only(End.class, beatLater()))
                .containsExactly(new End(token, LeaseEnd.Lost.UNCONFIRMED));
    }

    private List<SessionOutput> beatLater(String... listed) {
        core.advance(HeldLeases.LATE);
        return core.beat(W1, "current_tasks", JsonArray.ofStrings(List.of(listed)));
    }

    @Test
    void aTaskThatIsNotAcceptedYet_isNotLost_howeverManyHeartbeatsDoNotListIt() {
        push(STAYS);

        for (var beat = 0; beat < 5; beat++) {
            assertThat(only(End.class, core.beat(W1, "current_tasks", JsonArray.EMPTY))).isEmpty();
        }
    }

    /// Trap: a worker goes over from polls to a channel while the answer to its last poll is on the way, and its heartbeats on the channel
    /// cannot list that task yet.
    @Test
    void aTaskOfAPollThatIsOnItsWay_isNotLost_whenItsWorkerOpensAChannel() {
        core.register(W1);
        var poll = core.number();
        core.on(new SessionInput.Said(poll, W1, new WorkerMessage.Poll("w1", 1)));
        core.on(new HandedOut(poll, W1, List.of(core.task(W1, 1))));
        core.on(new ChannelOpened(1, W1, STAYS));

        for (var beat = 0; beat < 5; beat++) {
            assertThat(only(End.class, core.beat(W1, "current_tasks", JsonArray.EMPTY))).isEmpty();
        }
    }

    @Test
    void aTaskThatChangesItsWire_isReportedByAPollingWorkerAfterItsChannelIsClosed() {
        var registration = JsonObject.of("instance", JsonValue.of("one"));
        core.register(W1, registration);
        core.on(new ChannelOpened(1, W1, STAYS));
        var token = core.task(W1, 1).lease().token();
        core.on(new HandedOut(-1, W1, List.of(core.task(W1, 1))));
        core.on(new TasksAccepted(1, List.of(token)));

        core.on(new SocketClosed(1));
        var again = core.register(W1, registration);
        var other =
                core.on(new SessionInput.Said(core.number(), W1, new WorkerMessage.Poll("w1", 1)));

        assertThat(only(Left.class, again)).isEmpty();
        assertThat(only(End.class, again)).isEmpty();
        assertThat(only(Ask.class, other)).hasSize(1);
        var report =
                core.send(
                        W1,
                        new TaskResult(
                                token.address().orElseThrow().job().value(),
                                token.value(),
                                W1.value(),
                                token.value(),
                                new TaskOutcome.Succeeded("success", JsonObject.EMPTY)));
        assertThat(only(SessionOutput.Report.class, report)).hasSize(1);
    }

    @Test
    void aHandOutForAnAskThatWasWithdrawn_goesBack() {
        core.register(W1);
        var ask = only(Ask.class, core.on(new ChannelOpened(1, W1, STAYS))).getFirst();
        core.on(new SocketClosed(1));

        var late = core.on(new HandedOut(ask.ask(), W1, List.of(core.task(W1, 1))));

        assertThat(only(End.class, late)).hasSize(1);
        assertThat(only(PushTasks.class, late)).isEmpty();
    }

    @Test
    void acceptingATaskOfAnotherWorker_isAnsweredWithACancel() {
        var token = push(STAYS);
        core.register(W2);
        core.on(new ChannelOpened(2, W2, STAYS));

        var stolen = core.on(new TasksAccepted(2, List.of(token)));

        assertThat(only(Push.class, stolen))
                .singleElement()
                .satisfies(cancel -> assertThat(cancel.socket()).isEqualTo(2));
        assertThat(only(End.class, core.advance(Duration.ofSeconds(2))))
                .containsExactly(new End(token, LeaseEnd.Returned.NOT_RECEIVED));
    }

    /// Trap: a heartbeat that names thousands of tasks which the orchestrator never gave costs a message and a thread for each.
    @Test
    void ofManyTasksThatAWorkerDoesNotHold_someAreCancelled_andThoseThatItHoldsAreAccepted() {
        var token = push(STAYS);
        var named =
                IntStream.range(0, 10_000)
                        .mapToObj(task -> LeaseToken.mint(new JobId("none"), task, 1, task))
                        .collect(Collectors.toCollection(ArrayList::new));
        named.add(token);

        var outputs = core.on(new TasksAccepted(1, named));

        assertThat(only(Push.class, outputs)).hasSize(100);
        assertThat(only(End.class, core.advance(Duration.ofSeconds(2)))).isEmpty();
    }

    private LeaseToken push(PushTerms terms) {
        core.register(W1);
        core.on(new ChannelOpened(1, W1, terms));
        return pushNext(1);
    }

    private LeaseToken pushOnceOnly(long nonce) {
        var task = onceOnly(core.task(W1, nonce));
        core.on(new HandedOut(--asks, W1, List.of(task)));
        return task.lease().token();
    }

    private static HandOut onceOnly(HandOut task) {
        return new HandOut(task.job(), task.task(), task.lease(), task.spec().notIdempotent(), 0);
    }

    private int asks;

    private LeaseToken pushNext(long nonce) {
        var task = core.task(W1, nonce);
        core.on(new HandedOut(--asks, W1, List.of(task)));
        return task.lease().token();
    }
}
