package dev.artel.session;

import static dev.artel.session.Core.W1;
import static dev.artel.session.Core.only;
import static dev.artel.session.Core.reply;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.kernel.attempt.LeaseEnd;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.engine.HandOut;
import dev.artel.kernel.engine.RenewReply;
import dev.artel.protocol.Progress;
import dev.artel.protocol.RenewAnswer;
import dev.artel.protocol.WorkerMessage;
import dev.artel.session.SessionInput.LeaseLost;
import dev.artel.session.SessionInput.Revoked;
import dev.artel.session.SessionInput.SocketClosed;
import dev.artel.session.SessionInput.SocketOpened;
import dev.artel.session.SessionOutput.CloseSocket;
import dev.artel.session.SessionOutput.End;
import dev.artel.session.SessionOutput.Push;
import dev.artel.session.SessionOutput.Renew;
import dev.artel.session.SessionOutput.RenewOnly;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class LeaseProtocolTest {
    private static final JsonArray TAKES = JsonArray.of(new JsonString("echo"));
    private static final PushTerms TERMS = new PushTerms("websocket", Duration.ofSeconds(5), true);
    private final Core core = new Core();

    @Test
    void aHandOutThatTwoHeartbeatsDoNotConfirm_isNoLongerRenewed_untilOneDoes() {
        core.register(W1);
        var token = core.give(W1);

        assertThat(renewed(0)).containsExactly(token);
        assertThat(renewed(0)).isEmpty();
        assertThat(renewed(1)).containsExactly(token);
    }

    @Test
    void ofTwoHandOuts_theOneThatWasConfirmedBeforeKeepsThePlace() {
        core.register(W1);
        var first = core.give(W1);
        renewed(1);
        var second = core.give(W1);

        assertThat(renewed(1)).containsExactly(first, second);

        assertThat(renewed(1)).containsExactly(first);
    }

    @Test
    void aRevokedLeaseThatTheWorkerNoLongerHas_isOverWithoutAWord() {
        core.register(W1);
        var token = core.give(W1);
        renewed(1);
        core.on(new Revoked(W1, token));

        beat(0);
        var second = beat(0);

        assertThat(second).contains(new End(token, LeaseEnd.Lost.UNCONFIRMED));
        assertThat(cancelled(core.beat(W1))).isEmpty();
    }

    @Test
    void aRevokedLease_isNamedInEveryAnswer_andOverAfterTenMinutesAtTheLatest() {
        core.register(W1);
        var token = core.give(W1);
        core.on(new Revoked(W1, token));
        var ends = 0;

        for (var minute = 0; minute < 11; minute++) {
            core.beat(W1, "load", JsonNumber.of(1));
            ends += only(End.class, core.advance(Duration.ofMinutes(1))).size();
        }

        assertThat(ends).isEqualTo(1);
        assertThat(cancelled(core.beat(W1))).isEmpty();
    }

    @Test
    void aRevocationOfAWorkerThatIsNotHeardOfYet_waitsForIt() {
        var token = core.task(W1, 1).lease().token();
        core.on(new Revoked(W1, token));

        var first = core.beat(W1, "supported_tasks", TAKES);

        assertThat(cancelled(first)).containsExactly(token.value());
    }

    @Test
    void aCancel_goesToTheWorkersSocket_orElseToAllOfWhichNobodyKnowsWhoseTheyAre() {
        core.register(W1);
        var token = core.give(W1);
        core.on(new SocketOpened(101, null));
        core.on(new SocketOpened(102, null));
        assertThat(sockets(core.on(new Revoked(W1, token)))).containsExactly(101L, 102L);

        assertThat(sockets(core.on(new SocketOpened(103, W1)))).containsExactly(103L);
        assertThat(sockets(core.on(new LeaseLost(W1, token)))).containsExactly(103L);
        assertThat(core.on(new LeaseLost(W1, token))).isEmpty();
    }

    /// Trap: the upgrade is answered before the orchestrator has taken note of the socket, and a cancel passes between.
    @Test
    void aCancel_reachesASocketThatIsOpenedAfterIt_whetherOrNotItSaysWhoseItIs() {
        core.register(W1);
        var token = core.give(W1);
        assertThat(sockets(core.on(new Revoked(W1, token)))).isEmpty();

        assertThat(sockets(core.on(new SocketOpened(101, null)))).containsExactly(101L);
        assertThat(sockets(core.on(new SocketOpened(102, W1)))).containsExactly(102L);
        assertThat(sockets(core.on(new SocketOpened(103, null)))).isEmpty();
    }

    /// Trap: a socket with the token of all workers hears of the leases of one with a token of its own, and becomes its socket.
    @Test
    void aSocketWhoseTokenIsNotGoodForAWorker_hearsNothingOfIt_andIsNotTakenForItsOwn() {
        core.register(W1);
        var token = core.give(W1);
        core.on(new SessionInput.NamelessOpened(101, worker -> !worker.equals(W1)));
        core.on(new SessionInput.NamelessOpened(102, _ -> true));

        assertThat(sockets(core.on(new Revoked(W1, token)))).containsExactly(102L);
        assertThat(
                        sockets(
                                core.on(
                                        new SessionInput.NamelessOpened(
                                                103, worker -> !worker.equals(W1)))))
                .isEmpty();
        core.on(
                new SessionInput.SocketSaid(
                        101, new Progress(null, token.value(), token.value(), 0.5, "mine")));
        assertThat(sockets(core.on(new LeaseLost(W1, token)))).containsExactly(102L);
    }

    /// Trap: the session sends each cancel to all sockets without the name of a worker and judges the token of each, while all other workers wait.
    @Test
    void manyCancels_withManyNamelessSockets_takeBoundedWork_andEachSocketHasItsTurn() {
        core.register(W1);
        var tokens = new ArrayList<LeaseToken>();
        for (var i = 0; i < 100; i++) {
            tokens.add(core.give(W1));
        }
        var judged = new AtomicInteger();
        var holder = counting(judged);
        for (var socket = 1_000; socket < 4_000; socket++) {
            core.on(new SessionInput.NamelessOpened(socket, holder));
        }
        judged.set(0);

        var reached = new ArrayList<Long>();
        for (var token : tokens) {
            reached.addAll(sockets(core.on(new Revoked(W1, token))));
        }

        assertThat(judged).hasValue(100);
        assertThat(reached).hasSizeBetween(4_000, 6_000);
        assertThat(new TreeSet<>(reached)).hasSize(3_000);
        core.advance(Duration.ofSeconds(1));
        assertThat(sockets(core.on(new LeaseLost(W1, tokens.getFirst())))).hasSize(500);
    }

    /// Trap: who has many tokens, or many sockets under one, leaves no cancel to the sockets of others.
    @Test
    void ofManyTokens_eachHasItsShareOfTheCancels() {
        core.register(W1);
        var tokens = new ArrayList<LeaseToken>();
        for (var i = 0; i < 400; i++) {
            tokens.add(core.give(W1));
        }
        for (var socket = 1_000; socket < 4_000; socket++) {
            var judged = new AtomicInteger();
            core.on(
                    new SessionInput.NamelessOpened(
                            socket, socket < 2_000 ? counting(judged) : _ -> true));
        }
        var judged = new AtomicInteger();
        core.on(new SessionInput.NamelessOpened(5_000, counting(judged)));

        var isReached = false;
        for (var token : tokens) {
            isReached |= sockets(core.on(new Revoked(W1, token))).contains(5_000L);
        }

        assertThat(isReached).isTrue();
        assertThat(judged.get()).isLessThan(100);
    }

    /// Trap: each socket that opens has the token judged for all workers with cancels, and gets a hundred of them.
    @Test
    void manySocketsThatOpenWhileCancelsWait_takeBoundedWork() {
        for (var i = 0; i < 300; i++) {
            core.on(new Revoked(new WorkerId("gone-" + i), core.task(W1, i + 1).lease().token()));
        }
        var judged = new AtomicInteger();

        for (var socket = 1_000; socket < 3_000; socket++) {
            core.on(new SessionInput.NamelessOpened(socket, counting(judged)));
        }

        assertThat(judged).hasValueLessThan(20_000);
    }

    private static Predicate<WorkerId> counting(AtomicInteger judged) {
        return _ -> {
            judged.incrementAndGet();
            return true;
        };
    }

    /// Trap: the end of the old socket unregisters the new one.
    @Test
    void aSocketThatIsReplaced_doesNotTakeItsSuccessorAlong() {
        core.register(W1);
        core.on(new SocketOpened(101, W1));
        var replaced = core.on(new SocketOpened(102, W1));
        core.on(new SocketClosed(101));

        assertThat(only(CloseSocket.class, replaced))
                .containsExactly(new CloseSocket(101, 1008, "New connection established"));
        assertThat(sockets(core.on(new Revoked(W1, core.give(W1))))).containsExactly(102L);
    }

    @Test
    void aHeartbeatThatListsTasks_renewsThoseAlone_andLearnsOfLeasesFromBeforeARestart() {
        core.register(W1);
        var token = core.task(W1, 7).lease().token();
        var listed = JsonArray.of(new JsonString(token.value()), new JsonString(" "));

        var outputs = core.beat(W1, "current_tasks", listed);
        var renewal = only(RenewOnly.class, outputs).getFirst();
        core.on(new SessionInput.Renewed(renewal.request(), new RenewReply.Renewed(List.of())));

        assertThat(renewal.tokens()).containsExactly(token);
        assertThat(only(Renew.class, outputs)).isEmpty();
        assertThat(only(Renew.class, core.beat(W1))).isEmpty();
        core.on(new SocketOpened(101, W1));
        assertThat(sockets(core.on(new LeaseLost(W1, token)))).containsExactly(101L);
    }

    /// Trap: a worker goes on with a task of which the lease is over; or it gives up what it has of another orchestrator.
    @Test
    void theAnswerToAHeartbeat_namesWhatTheWorkerListedBeforeAndDoesNotHold_andCancelsNoneOfIt() {
        core.register(W1);
        var held = core.give(W1);
        var ended = core.task(W1, 7).lease().token();
        var listed = JsonArray.ofStrings(List.of(held.value(), ended.value()));
        var first = core.beat(W1, "current_tasks", listed);
        var renewal = only(RenewOnly.class, first).getFirst();
        core.on(
                new SessionInput.Renewed(
                        renewal.request(), new RenewReply.Renewed(List.of(ended))));

        var refreshed = (SessionReply.Refreshed) reply(core.beat(W1, "current_tasks", listed));

        assertThat(((SessionReply.Refreshed) reply(first)).lost())
                .as("it is answered at once")
                .isEmpty();
        assertThat(refreshed.lost()).containsExactly(ended);
        assertThat(refreshed.answer().cancelTasks()).isEmpty();
    }

    /// Trap: a list of ten thousand leases that the worker does not hold stays in memory until the next one, of each worker.
    @Test
    void leasesThatAWorkerDoesNotHold_areNamedInParts_andTheNextListBringsTheRest() {
        core.register(W1);
        var listed = leases("", 2_500);

        assertThat(lost(core, listed)).as("it is answered at once").isEmpty();
        assertThat(lost(core, listed)).isEqualTo(listed.subList(0, 1_000));
        var rest = listed.subList(1_000, 2_500);
        assertThat(lost(core, rest)).isEmpty();
        assertThat(lost(core, rest)).isEqualTo(rest.subList(0, 1_000));
    }

    /// Trap: what workers list and do not hold counts nowhere, and fills the heap.
    @Test
    void leasesThatWorkersDoNotHold_haveRoomWithWhatTheyDeclare_andGiveItBack() {
        var limits = SessionSettings.Limits.DEFAULTS.withStatusBytes(1 << 20);
        var small = new Core(SessionSettings.DEFAULTS.withLimits(limits));
        var listed = leases("x".repeat(900), 1_000);
        for (var i = 0; i < 20; i++) {
            var worker = new WorkerId("w" + i);
            small.register(worker);
            lost(small, worker, listed.subList(0, 100));
        }

        var named =
                IntStream.range(0, 20)
                        .mapToObj(i -> new WorkerId("w" + i))
                        .filter(worker -> !lost(small, worker, listed.subList(0, 100)).isEmpty())
                        .toList();
        assertThat(named).hasSizeBetween(2, 10);
        small.register(W1);
        lost(small, W1, listed);
        assertThat(lost(small, W1, listed)).as("more than there is room for").isEmpty();
        for (var worker : named) {
            small.send(worker, new WorkerMessage.Disconnect(worker.value()));
        }
        lost(small, W1, listed.subList(0, 100));
        assertThat(lost(small, W1, listed.subList(0, 100))).hasSize(100);
    }

    private static List<LeaseToken> leases(String more, int count) {
        return IntStream.range(10_000, 10_000 + count)
                .mapToObj(i -> new LeaseToken("lease-" + i + more))
                .toList();
    }

    private static List<LeaseToken> lost(Core core, List<LeaseToken> listed) {
        return lost(core, W1, listed);
    }

    /// A worker lists leases of which it holds none, which the engine answers afterwards.
    private static List<LeaseToken> lost(Core core, WorkerId worker, List<LeaseToken> listed) {
        var outputs =
                core.beat(worker, "current_tasks", JsonArray.ofStrings(LeaseTokens.texts(listed)));
        var renewal = only(RenewOnly.class, outputs).getFirst();
        core.on(new SessionInput.Renewed(renewal.request(), new RenewReply.Renewed(listed)));
        return ((SessionReply.Refreshed) reply(outputs)).lost();
    }

    /// Trap: a task that was handed out when the orchestrator died, and never arrived, is renewed with each heartbeat of
    /// a worker that only counts what it has.
    @Test
    void aLeaseFromBeforeARestart_thatTheWorkersLoadDoesNotCount_isNoLongerRenewed() {
        var received = core.task(W1, 1);
        var neverReceived = later(core.task(W1, 2));
        core.on(new SessionInput.Held(neverReceived));
        core.on(new SessionInput.Held(received));
        core.beat(W1, "supported_tasks", TAKES);

        assertThat(renewed(1))
                .containsExactly(neverReceived.lease().token(), received.lease().token());
        assertThat(renewed(1)).containsExactly(received.lease().token());
    }

    @Test
    void aLeaseFromBeforeARestart_ofWhichOneHearsWhileTheWorkerIsThere_isDoubtedAsWell() {
        core.register(W1);
        var task = core.task(W1, 1);
        core.on(new SessionInput.Held(task));

        assertThat(renewed(0)).containsExactly(task.lease().token());
        assertThat(renewed(0)).isEmpty();
        core.on(new LeaseLost(W1, task.lease().token()));
        assertThat(only(Renew.class, core.beat(W1, "load", JsonNumber.of(0)))).isEmpty();
    }

    private static HandOut later(HandOut task) {
        var lease = task.lease();
        return new HandOut(
                task.job(),
                task.task(),
                lease.until(lease.timeout().plusSeconds(1)),
                task.spec(),
                task.priority());
    }

    /// Trap: an engine that is too busy to answer which leases are held is taken for one that holds them all.
    @Test
    void aRenewalThatTheEngineCannotAnswer_isToBeTriedAgain() {
        core.register(W1);
        var token = core.give(W1);
        var outputs =
                core.send(
                        W1,
                        new dev.artel.protocol.Renew(
                                W1.value(), List.of(token.value()), List.of()));
        var renewal = only(RenewOnly.class, outputs).getFirst();

        var answer =
                core.on(
                        new SessionInput.Renewed(
                                renewal.request(),
                                new RenewReply.TryLater(Duration.ofSeconds(1), "busy")));

        assertThat(reply(answer))
                .isEqualTo(new SessionReply.TryLater(Duration.ofSeconds(1), "busy"));
    }

    /// Trap: each of them had a sentence of its own, so that the answer was sixteen times the question.
    @Test
    void leasesThatAreLost_haveOneSentenceTogether() {
        core.register(W1);
        var names = IntStream.range(0, 10_000).mapToObj(Integer::toString).toList();
        var outputs = core.send(W1, new dev.artel.protocol.Renew(W1.value(), names, List.of()));
        var missing = only(RenewOnly.class, outputs);
        for (var renewal : missing) {
            outputs =
                    core.on(
                            new SessionInput.Renewed(
                                    renewal.request(), new RenewReply.Renewed(renewal.tokens())));
        }

        var answer = (RenewAnswer) ((SessionReply.Message) reply(outputs)).message();

        assertThat(answer.lost()).hasSize(10_000);
        assertThat(answer.why(answer.lost().getFirst()))
                .isEqualTo("the lease has ended or was never yours; stop this attempt");
        assertThat(answer.toJson().toString()).hasSizeLessThan(500_000);
    }

    /// Trap: a heartbeat that was sent before the worker accepted a task arrives after that word, and so does another one: the worker
    /// has the task, and loses it.
    @Test
    void heartbeatsThatWereOvertakenByAnAcceptance_sayNothingOfThatTask() {
        core.register(W1, JsonObject.of("instance", new JsonString("a")));
        var opened = core.on(new SessionInput.ChannelOpened(101, W1, TERMS));
        var ask = only(SessionOutput.Ask.class, opened).getFirst().ask();
        var task = core.task(W1, 1);
        core.on(new SessionInput.HandedOut(ask, W1, List.of(task)));
        core.on(new SessionInput.TasksAccepted(101, List.of(task.lease().token())));

        var ends = new ArrayList<SessionOutput>();
        for (var old = 0; old < 5; old++) {
            ends.addAll(core.beat(W1, "current_tasks", JsonArray.of()));
        }
        core.advance(HeldLeases.LATE);
        ends.addAll(core.beat(W1, "current_tasks", JsonArray.of()));

        assertThat(only(End.class, ends)).isEmpty();
        core.advance(HeldLeases.LATE);
        assertThat(only(End.class, core.beat(W1, "current_tasks", JsonArray.of())))
                .containsExactly(new End(task.lease().token(), LeaseEnd.Lost.UNCONFIRMED));
    }

    /// What is renewed by a heartbeat that comes so much later than the one before that both count.
    private List<LeaseToken> renewed(int load) {
        return only(Renew.class, beat(load)).stream()
                .flatMap(renewal -> renewal.tokens().stream())
                .toList();
    }

    private List<SessionOutput> beat(int load) {
        core.advance(HeldLeases.LATE);
        return core.beat(W1, "load", JsonNumber.of(load));
    }

    private static List<String> cancelled(List<SessionOutput> outputs) {
        return ((SessionReply.Refreshed) reply(outputs)).answer().cancelTasks();
    }

    private static List<Long> sockets(List<SessionOutput> outputs) {
        return only(Push.class, outputs).stream().map(Push::socket).toList();
    }
}
