package dev.artel.session;

import static dev.artel.session.Core.W1;
import static dev.artel.session.Core.only;
import static dev.artel.session.Core.reply;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonString;
import dev.artel.kernel.attempt.Lease;
import dev.artel.kernel.attempt.LeaseEnd;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.engine.HandOut;
import dev.artel.kernel.engine.RenewReply;
import dev.artel.protocol.Progress;
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
import java.util.List;
import org.junit.jupiter.api.Test;

final class LeaseProtocolTest {
    private static final JsonArray TAKES = JsonArray.of(new JsonString("echo"));
    private final Core core = new Core();

    @Test
    void aHandOutThatTwoHeartbeatsDoNotConfirm_isNoLongerRenewed_untilOneDoes() {
        core.register(W1);
        var token = core.give(W1);

        assertThat(unconfirmed(0)).isEmpty();
        assertThat(unconfirmed(0)).containsExactly(token);
        assertThat(unconfirmed(1)).isEmpty();
    }

    @Test
    void ofTwoHandOuts_theOneThatWasConfirmedBeforeKeepsThePlace() {
        core.register(W1);
        var first = core.give(W1);
        unconfirmed(1);
        var second = core.give(W1);

        unconfirmed(1);

        assertThat(unconfirmed(1)).containsExactly(second).doesNotContain(first);
    }

    @Test
    void aRevokedLeaseThatTheWorkerNoLongerHas_isOverWithoutAWord() {
        core.register(W1);
        var token = core.give(W1);
        unconfirmed(1);
        core.on(new Revoked(W1, token));

        core.beat(W1, "load", JsonNumber.of(0));
        var second = core.beat(W1, "load", JsonNumber.of(0));

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

    /// Trap: a task that was handed out when the orchestrator died, and never arrived, is renewed with each heartbeat of
    /// a worker that only counts what it has.
    @Test
    void aLeaseFromBeforeARestart_thatTheWorkersLoadDoesNotCount_isNoLongerRenewed() {
        var received = core.task(W1, 1);
        var neverReceived = later(core.task(W1, 2));
        core.on(new SessionInput.Held(neverReceived));
        core.on(new SessionInput.Held(received));
        core.beat(W1, "supported_tasks", TAKES);

        assertThat(unconfirmed(1)).isEmpty();
        assertThat(unconfirmed(1)).containsExactly(neverReceived.lease().token());
    }

    @Test
    void aLeaseFromBeforeARestart_ofWhichOneHearsWhileTheWorkerIsThere_isDoubtedAsWell() {
        core.register(W1);
        var task = core.task(W1, 1);
        core.on(new SessionInput.Held(task));

        unconfirmed(0);

        assertThat(unconfirmed(0)).containsExactly(task.lease().token());
        core.on(new LeaseLost(W1, task.lease().token()));
        assertThat(only(Renew.class, core.beat(W1, "load", JsonNumber.of(0)))).isEmpty();
    }

    private static HandOut later(HandOut task) {
        var lease = task.lease();
        return new HandOut(
                task.job(),
                task.task(),
                new Lease(
                        lease.token(),
                        lease.worker(),
                        lease.attempt(),
                        lease.timeout().plusSeconds(1)),
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

    /// Nothing is renewed of a worker that holds nothing.
    private List<LeaseToken> unconfirmed(int load) {
        var outputs = core.beat(W1, "load", JsonNumber.of(load));
        return only(Renew.class, outputs).stream()
                .flatMap(renewal -> renewal.unconfirmed().stream())
                .toList();
    }

    private static List<String> cancelled(List<SessionOutput> outputs) {
        return ((SessionReply.Refreshed) reply(outputs)).answer().cancelTasks();
    }

    private static List<Long> sockets(List<SessionOutput> outputs) {
        return only(Push.class, outputs).stream().map(Push::socket).toList();
    }
}
