package dev.artel.session;

import static dev.artel.session.Core.W1;
import static dev.artel.session.Core.W2;
import static dev.artel.session.Core.only;
import static dev.artel.session.Core.reply;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.kernel.attempt.LeaseEnd;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.attempt.WorkerInstance;
import dev.artel.kernel.fleet.Availability;
import dev.artel.kernel.fleet.WorkerProfile;
import dev.artel.protocol.RegisterAnswer;
import dev.artel.protocol.TaskOutcome;
import dev.artel.protocol.TaskResult;
import dev.artel.protocol.WorkerMessage;
import dev.artel.session.SessionOutput.End;
import dev.artel.session.SessionOutput.Joined;
import dev.artel.session.SessionOutput.Keep;
import dev.artel.session.SessionOutput.Left;
import dev.artel.session.SessionOutput.NameShared;
import dev.artel.session.SessionOutput.Renew;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class MembershipTest {
    private static final JsonArray TAKES = JsonArray.of(new JsonString("resize"));
    private static final JsonObject SHORT_LEASE = JsonObject.of("lease_ms", JsonNumber.of(2_000));

    private final Core core = new Core();

    @Test
    void aProfile_isBuiltFromTheLatestWordOnEachPoint() {
        var more =
                JsonObject.builder()
                        .put("cost", 3)
                        .put("cost_per_skill", JsonObject.of("echo", JsonNumber.of(2)))
                        .put("hot_cache", JsonArray.ofStrings(List.of("model")))
                        .build();

        var first = only(Joined.class, core.register(W1, more)).getFirst().profile();
        assertThat(first.tasks()).containsExactly("echo");
        assertThat(first.capabilities().hot()).containsExactly("model");
        assertThat(first.costOf("echo")).isEqualTo(2);
        assertThat(first.costOf("other")).isEqualTo(3);
        assertThat(first.capacity()).isEqualTo(2);

        var hot = core.beat(W1, "hot_skills", JsonArray.ofStrings(List.of("echo")));
        assertThat(only(Joined.class, hot).getFirst().profile().capabilities().hot())
                .containsExactly("echo");
        var cold = core.beat(W1, "skill_dependencies", JsonObject.EMPTY);
        assertThat(only(Joined.class, cold).getFirst().profile().capabilities().hot()).isEmpty();
        var busy = core.beat(W1, "supported_tasks", JsonArray.EMPTY);
        assertThat(only(Joined.class, busy).getFirst().profile().tasks()).isEmpty();
    }

    @Test
    void aHeartbeatWithNothingNew_isNotReportedToTheEngine() {
        core.register(W1);

        var outputs = core.beat(W1, "supported_tasks", JsonArray.ofStrings(List.of("echo")));

        assertThat(outputs).hasSize(1);
        assertThat(reply(outputs)).isInstanceOf(SessionReply.Refreshed.class);
    }

    @Test
    void aHeartbeat_renewsTheLeasesOfAWorkerThatHasSome() {
        core.register(W1);
        core.give(W1);

        assertThat(only(Renew.class, core.beat(W1))).hasSize(1);
    }

    @Test
    void theSameHeartbeat_isReportedAgainAfterARegistration() {
        core.register(W1);
        core.beat(W1, "status", new JsonString("draining"));
        core.register(W1);

        var again = core.beat(W1, "status", new JsonString("draining"));

        assertThat(only(Joined.class, again).getFirst().profile().draining()).isTrue();
    }

    @Test
    void aWorkerThatIsSilentForTooLong_countsAsUnhealthy_untilItIsHeardOf() {
        core.register(W1);
        core.advance(Duration.ofSeconds(40));
        core.beat(W1);

        assertThat(only(Joined.class, core.advance(Duration.ofSeconds(59)))).isEmpty();
        var late = only(Joined.class, core.advance(Duration.ofSeconds(2)));
        assertThat(late.getFirst().profile().availability()).isEqualTo(Availability.UNHEALTHY);
        var back = only(Joined.class, core.beat(W1));
        assertThat(back.getFirst().profile().availability()).isEqualTo(Availability.READY);
        assertThat(only(Left.class, core.advance(Duration.ofSeconds(119)))).isEmpty();
        assertThat(only(Left.class, core.advance(Duration.ofSeconds(2)))).hasSize(1);
    }

    @Test
    void aWorkerWhosePollWaits_isNotSilent_andIsLookedAtWhenItIsOver() {
        core.register(W1, SHORT_LEASE);
        core.beat(W1, "current_tasks", JsonArray.EMPTY);
        var poll = new WorkerMessage.Poll(W1.value(), 0);
        core.on(new SessionInput.Said(core.number(), W1, poll));

        var waiting = core.advance(Duration.ofSeconds(29));
        var over = core.advance(Duration.ofSeconds(2));

        assertThat(only(Joined.class, waiting)).isEmpty();
        assertThat(only(Joined.class, over).getFirst().profile().availability())
                .isEqualTo(Availability.UNHEALTHY);
        assertThat(only(Left.class, core.advance(Duration.ofSeconds(2)))).hasSize(1);
    }

    @Test
    void aWorkerThatSaysItDrains_isReportedAsDraining_untilItSaysOtherwise() {
        core.register(W1);

        var drains = core.beat(W1, "status", new JsonString("draining"));
        assertThat(only(Joined.class, drains).getFirst().profile().draining()).isTrue();
        var idle = core.beat(W1, "status", new JsonString("idle"));
        assertThat(only(Joined.class, idle).getFirst().profile().draining()).isFalse();
    }

    @Test
    void aLease_isAsLongAsTheWorkerAsksFor() {
        var asked = (SessionReply.Message) reply(core.register(W1, SHORT_LEASE));
        var otherwise = (SessionReply.Message) reply(core.register(W2));

        assertThat(asked.message())
                .isEqualTo(new RegisterAnswer("registered", Duration.ofSeconds(2), null));
        assertThat(otherwise.message())
                .isEqualTo(new RegisterAnswer("registered", Duration.ofSeconds(60), null));
        core.give(W1);
        assertThat(only(Renew.class, core.beat(W1)).getFirst().term())
                .isEqualTo(Duration.ofSeconds(2));
    }

    /// Trap: the orchestrator's process was stopped, and takes all workers for silent before it reads what they sent.
    @Test
    void afterAStandstill_noWorkerIsSilent_beforeItCouldBeHeardAgain() {
        core.register(W1);
        core.advance(Duration.ofSeconds(5));

        assertThat(core.standStill(Duration.ofMinutes(90))).isEmpty();
        assertThat(only(Joined.class, core.advance(Duration.ofSeconds(59)))).isEmpty();
        assertThat(only(Left.class, core.advance(Duration.ofSeconds(60)))).isEmpty();
        assertThat(only(Left.class, core.advance(Duration.ofSeconds(2)))).hasSize(1);
    }

    @Test
    void aWorkerThatOnlySendsHeartbeats_isGoneAfterTwoMinutesOfSilence() {
        core.register(W1);

        assertThat(only(Left.class, core.advance(Duration.ofSeconds(119)))).isEmpty();
        assertThat(only(Left.class, core.advance(Duration.ofSeconds(2))))
                .containsExactly(new Left(W1, LeaseEnd.Lost.WORKER_GONE));
    }

    @Test
    void aWorkerThatNamesItsLeases_isGoneAfterItsTermAndSomeGrace() {
        core.register(W1, SHORT_LEASE);
        core.beat(W1, "current_tasks", JsonArray.EMPTY);

        assertThat(only(Left.class, core.advance(Duration.ofSeconds(31)))).isEmpty();
        assertThat(only(Left.class, core.advance(Duration.ofSeconds(2)))).hasSize(1);
    }

    @Test
    void aWorkerThatIsGone_isBackAsItWas_withAnyWord() {
        core.register(W1);
        core.advance(Duration.ofSeconds(121));

        var back = core.beat(W1);

        assertThat(only(Joined.class, back).getFirst().profile().tasks()).containsExactly("echo");
        assertThat(reply(back)).isInstanceOf(SessionReply.Refreshed.class);
    }

    /// Trap: the late answer of an agent that was stopped brought it back on no wire, and the agent itself was refused under its name for two minutes.
    @Test
    void anAgentOfTheBusThatIsGone_isNotBackWithALateAnswer() {
        core.register(W1, marked("a"));
        core.send(W1, new WorkerMessage.Disconnect(W1.value()));

        var lease = core.task(W1, 1).lease().token().value();
        var answer =
                new TaskResult("job-1", lease, "w1", lease, TaskOutcome.success(JsonObject.EMPTY));
        assertThat(only(Joined.class, core.send(W1, answer))).isEmpty();
        assertThat(only(Joined.class, core.register(W1, marked("a")))).hasSize(1);
    }

    @Test
    void moreWorkersThanAreServed_areAskedToComeLater() {
        var limits = new SessionSettings.Limits(1, 1, 16, 100, 10, 1 << 20);
        var small =
                new Core(
                        new SessionSettings(
                                Duration.ofSeconds(60),
                                Duration.ofSeconds(30),
                                Duration.ofSeconds(120),
                                Duration.ofSeconds(30),
                                Duration.ofMinutes(10),
                                limits));
        small.register(W1);

        assertThat(reply(small.register(W2))).isInstanceOf(SessionReply.TryLater.class);
        assertThat(reply(small.beat(W2, "supported_tasks", TAKES)))
                .isInstanceOf(SessionReply.TryLater.class);
        assertThat(reply(small.register(W1))).isInstanceOf(SessionReply.Message.class);
    }

    /// Trap: each registration is bounded, and a token for many names, or for all, has as many of them as its owner likes.
    @Test
    void whatWorkersDeclare_takesBoundedMemory_andThoseThatAreThereGoOn() {
        var limits = SessionSettings.Limits.DEFAULTS.withStatusBytes(4 << 20);
        var small = new Core(SessionSettings.DEFAULTS.withLimits(limits));
        var large =
                JsonObject.of(
                        "supported_tasks",
                        JsonArray.ofStrings(
                                IntStream.range(0, 900).mapToObj(i -> "task-type-" + i).toList()));

        var taken = 0;
        SessionReply last = new SessionReply.Done();
        while (taken < 100 && !(last instanceof SessionReply.TryLater)) {
            last = reply(small.register(new WorkerId("large-" + taken), large));
            taken++;
        }

        assertThat(taken).isBetween(2, 50);
        assertThat(
                        reply(
                                small.beat(
                                        W1,
                                        "supported_tasks",
                                        large.get("supported_tasks").orElseThrow())))
                .isInstanceOf(SessionReply.TryLater.class);
        assertThat(reply(small.register(new WorkerId("large-0"), large)))
                .isInstanceOf(SessionReply.Message.class);
        assertThat(reply(small.beat(new WorkerId("large-0"))))
                .isInstanceOf(SessionReply.Refreshed.class);
    }

    /// Trap: what a poll names is kept as what a registration names, and counts nowhere.
    @Test
    void whatPollsDeclare_countsAsWhatRegistrationsDeclare() {
        var limits = SessionSettings.Limits.DEFAULTS.withStatusBytes(4 << 20);
        var small = new Core(SessionSettings.DEFAULTS.withLimits(limits));
        var taken = 0;
        SessionReply last = new SessionReply.Done();
        while (taken < 100 && !(last instanceof SessionReply.TryLater)) {
            var worker = new WorkerId("large-" + taken);
            small.register(worker);
            var first = taken;
            var names = IntStream.range(0, 900).mapToObj(i -> "task-" + first + "-" + i).toList();
            last =
                    only(
                                    SessionOutput.Reply.class,
                                    small.send(
                                            worker,
                                            new WorkerMessage.Poll(
                                                    worker.value(), 1, names, names, null)))
                            .stream()
                            .map(SessionOutput.Reply::reply)
                            .findFirst()
                            .orElse(new SessionReply.Done());
            taken++;
        }

        assertThat(taken).isBetween(2, 50);
    }

    /// Trap: a token for many names takes all the memory, is silent for ten minutes, and no worker of another token can register.
    @Test
    void whatTheWorkersOfATokenDeclare_leavesRoomToOthers_whetherTheyAreThereOrGone() {
        var limits = SessionSettings.Limits.DEFAULTS.withStatusBytes(1 << 20);
        var small = new Core(SessionSettings.DEFAULTS.withLimits(limits), "ev-");
        small.register(W2);
        small.send(W2, new WorkerMessage.Disconnect(W2.value()));
        var there = registerUntilRefused(small);

        assertThat(there).isBetween(2, 1_000);
        assertThat(reply(small.register(W1, large("w1")))).isInstanceOf(SessionReply.Message.class);
        assertThat(reply(small.beat(W2))).isInstanceOf(SessionReply.Refreshed.class);
        small.send(W2, new WorkerMessage.Disconnect(W2.value()));

        for (var i = 0; i < 2 * there; i++) {
            var worker = new WorkerId("ev-" + i);
            small.register(worker, large("ev"));
            small.send(worker, new WorkerMessage.Disconnect(worker.value()));
        }

        assertThat(reply(small.beat(W2)))
                .as("what is known of others that are gone")
                .isInstanceOf(SessionReply.Refreshed.class);
    }

    /// Trap: agents on the bus show no token, and their names are those for which the token of all workers is good.
    @Test
    void whatWorkersOfATokenDeclare_leavesRoomToAgentsOnTheBus_andTheOtherWayRound() {
        var limits = SessionSettings.Limits.DEFAULTS.withStatusBytes(1 << 20);
        for (var isBusFull : List.of(false, true)) {
            var small = new Core(SessionSettings.DEFAULTS.withLimits(limits), "ev-");
            var first = isBusFull ? marked("a") : large("a");
            var other = isBusFull ? large("b") : marked("b");
            var there = 0;
            while (there < 1_000
                    && reply(small.register(new WorkerId("ev-" + there), first))
                            instanceof SessionReply.Message) {
                there++;
            }

            assertThat(there).isBetween(2, 999);
            assertThat(reply(small.register(new WorkerId("ev-next"), other)))
                    .isInstanceOf(SessionReply.Message.class);
        }
    }

    private static JsonObject marked(String type) {
        return large(type)
                .with("labels", JsonObject.of("mindbus.lease-seconds", new JsonString("30")));
    }

    private static int registerUntilRefused(Core core) {
        var there = 0;
        while (there < 1_000
                && reply(core.register(new WorkerId("ev-" + there), large("ev")))
                        instanceof SessionReply.Message) {
            there++;
        }
        return there;
    }

    private static JsonObject large(String type) {
        return JsonObject.of(
                "supported_tasks",
                JsonArray.ofStrings(
                        IntStream.range(0, 200).mapToObj(i -> type + "-" + i).toList()));
    }

    @Test
    void ofTheLastPlaces_aTokenHasHalfOfWhatOthersLeave() {
        var limits = new SessionSettings.Limits(80, 80, 16, 100, 10, 64 << 20);
        var small = new Core(SessionSettings.DEFAULTS.withLimits(limits), "ev-");
        for (var i = 0; i < 80; i++) {
            small.register(new WorkerId("ev-" + i));
        }

        assertThat(reply(small.beat(new WorkerId("ev-69"))))
                .isInstanceOf(SessionReply.Refreshed.class);
        assertThat(reply(small.register(new WorkerId("ev-70"))))
                .isInstanceOf(SessionReply.TryLater.class);
        for (var i = 0; i < 9; i++) {
            assertThat(reply(small.register(new WorkerId("own-" + i))))
                    .isInstanceOf(SessionReply.Message.class);
        }
        assertThat(reply(small.register(new WorkerId("own-9"))))
                .isInstanceOf(SessionReply.TryLater.class);
    }

    @Test
    void ofTooManyWorkersThatAreGone_thoseOfTheTokenWithMost_areForgotten() {
        var limits = new SessionSettings.Limits(80, 20, 16, 100, 10, 64 << 20);
        var small = new Core(SessionSettings.DEFAULTS.withLimits(limits), "ev-");
        for (var i = -1; i < 100; i++) {
            var worker = i < 0 ? W1 : new WorkerId("ev-" + i);
            small.register(worker);
            small.send(worker, new WorkerMessage.Disconnect(worker.value()));
        }

        assertThat(reply(small.beat(W1))).isInstanceOf(SessionReply.Refreshed.class);
        assertThat(reply(small.beat(new WorkerId("ev-99"))))
                .isInstanceOf(SessionReply.Refreshed.class);
        assertThat(reply(small.beat(new WorkerId("ev-79"))))
                .isInstanceOf(SessionReply.UnknownWorker.class);
    }

    @Test
    void workersThatAreGone_areForgotten_forThoseThatCome() {
        var limits = SessionSettings.Limits.DEFAULTS.withStatusBytes(100_000);
        var small = new Core(SessionSettings.DEFAULTS.withLimits(limits));
        for (var i = 0; i < 1_000; i++) {
            var worker = new WorkerId("w" + i);
            assertThat(reply(small.register(worker))).isInstanceOf(SessionReply.Message.class);
            small.send(worker, new WorkerMessage.Disconnect(worker.value()));
        }

        assertThat(reply(small.beat(new WorkerId("w0"))))
                .isInstanceOf(SessionReply.UnknownWorker.class);
        assertThat(reply(small.beat(new WorkerId("w999"))))
                .isInstanceOf(SessionReply.Refreshed.class);
    }

    @Test
    void anExplicitRegistrationOfAWorkerThatWasOnlyHeard_endsNothingIfItNamesItsProcess() {
        core.beat(W1, "supported_tasks", TAKES);

        var named = core.register(W1, JsonObject.of("instance", new JsonString("p1")));
        var unnamed = core.register(W2, JsonObject.EMPTY);

        assertThat(only(Left.class, named)).isEmpty();
        assertThat(only(Left.class, unnamed))
                .containsExactly(new Left(W2, LeaseEnd.Lost.WORKER_RESTARTED));
    }

    /// Trap: the orchestrator is restarted, and a worker that registers once in its life is taken for one of which nothing is known.
    @Test
    void aWorkerThatRegisteredBeforeARestart_hasItsRegistration_withItsFirstMessage() {
        var kept = only(Keep.class, core.register(W1, JsonObject.of("cost", JsonValue.of(3))));
        var restarted = new Core();
        restarted.recall(W1, kept.getFirst().words());

        var poll = restarted.send(W1, new WorkerMessage.Poll("w1", 0));
        assertThat(only(Joined.class, poll).getFirst().profile().costOf("echo")).isEqualTo(3);
        assertThat(only(Joined.class, poll).getFirst().profile().capacity()).isEqualTo(2);
        assertThat(only(SessionOutput.Ask.class, poll)).hasSize(1);

        assertThat(reply(restarted.beat(W1))).isInstanceOf(SessionReply.Refreshed.class);
        assertThat(reply(restarted.beat(W2))).isInstanceOf(SessionReply.UnknownWorker.class);
    }

    /// Trap: worker and orchestrator are restarted together, and the new process waits until the leases of the dead one run out.
    @Test
    void anotherProcessOfAWorker_endsTheLeasesOfTheOneBefore_alsoAfterARestart() {
        var first = JsonObject.of("instance", new JsonString("p1"));
        var kept = only(Keep.class, core.register(W1, first)).getFirst();
        var restarted = new Core();
        restarted.recall(W1, kept.words());
        var left = restarted.task(W1, 1);
        restarted.on(new SessionInput.Held(left));

        var another = restarted.register(W1, JsonObject.of("instance", new JsonString("p2")));

        assertThat(only(Left.class, another))
                .containsExactly(new Left(W1, LeaseEnd.Lost.WORKER_RESTARTED));
        assertThat(only(Renew.class, restarted.beat(W1))).isEmpty();
    }

    /// Trap: a registration becomes durable before the ends of the leases of the process before it, the orchestrator dies between, and
    /// the new process renews forever what nobody works on.
    @Test
    void aLeaseOfAnotherProcess_ends_whereTheRegistrationOfThisOneIsKeptAlready() {
        var kept = only(Keep.class, core.register(W1, process("p2"))).getFirst();
        var restarted = new Core();
        restarted.recall(W1, kept.words());
        var left = restarted.task(W1, 1, "p1");
        var own = restarted.task(W1, 2, "p2");
        restarted.on(new SessionInput.Held(left));
        restarted.on(new SessionInput.Held(own));

        var first = restarted.beat(W1);

        assertThat(only(End.class, first))
                .containsExactly(new End(left.lease().token(), LeaseEnd.Lost.WORKER_RESTARTED));
        assertThat(only(Renew.class, first))
                .singleElement()
                .satisfies(renewal ->
                        assertThat(renewal.tokens()).containsExactly(own.lease().token()));
    }

    /// Trap: no registration was kept, and the first one after a restart adopts what the process before had.
    @Test
    void aLeaseOfAnotherProcess_ends_whereNoRegistrationWasKept() {
        var left = core.task(W1, 1, "p1");
        core.on(new SessionInput.Held(left));

        var registered = core.register(W1, process("p2"));

        assertThat(only(End.class, registered))
                .containsExactly(new End(left.lease().token(), LeaseEnd.Lost.WORKER_RESTARTED));
    }

    @Test
    void aLeaseOfAnotherProcess_ends_whenOneHearsOfItWhileTheWorkerIsThere() {
        core.register(W1, process("p2"));
        var left = core.task(W1, 1, "p1");

        assertThat(only(End.class, core.on(new SessionInput.Held(left))))
                .containsExactly(new End(left.lease().token(), LeaseEnd.Lost.WORKER_RESTARTED));
    }

    /// Trap: a worker that names no process is taken for the one before, once the orchestrator has been restarted.
    @Test
    void aProcessThatNamesNone_isAnotherOneWithEachRegistration_alsoAfterARestart() {
        var first = joined(core.register(W1)).instance();
        core.advance(Duration.ofSeconds(1));
        var second = core.register(W1);
        var restarted = new Core();
        restarted.recall(W1, only(Keep.class, second).getFirst().words());
        restarted.on(new SessionInput.Held(restarted.task(W1, 1, first.value())));

        assertThat(joined(second).instance().isOtherThan(first)).isTrue();
        assertThat(only(End.class, restarted.beat(W1))).hasSize(1);
    }

    /// Trap: two processes are started under one name, each registration ends the tasks of the other, and no log, list or answer gives
    /// the reason.
    @Test
    void aProcessThatWasReplaced_andIsHeardOfAgain_isReportedWhereOneLooks() {
        core.register(W1, process("a"));
        core.register(W1, process("b"));
        assertThat(core.on(new SessionInput.ListWorkers(1)))
                .as("a restart")
                .allSatisfy(it -> assertThat(others(it)).isEmpty());
        core.advance(HeldLeases.LATE);

        var beat = core.beat(W1, "instance", new JsonString("a"));

        assertThat(only(NameShared.class, beat))
                .containsExactly(
                        new NameShared(W1, new WorkerInstance("b"), new WorkerInstance("a")));
        var answer = ((SessionReply.Refreshed) reply(beat)).answer();
        assertThat(answer.warning()).contains("another process uses the name");
        assertThat(core.on(new SessionInput.ListWorkers(2)))
                .allSatisfy(it -> assertThat(others(it)).containsExactly(new WorkerInstance("a")));
        assertThat(only(NameShared.class, core.beat(W1, "instance", new JsonString("a"))))
                .as("is reported once")
                .isEmpty();
    }

    @Test
    void aProcessThatWasReplaced_andRegistersAgain_isWarned() {
        core.register(W1, process("a"));
        core.register(W1, process("b"));

        var back = core.register(W1, process("a"));

        assertThat(only(NameShared.class, back))
                .containsExactly(
                        new NameShared(W1, new WorkerInstance("a"), new WorkerInstance("b")));
        assertThat(((SessionReply.Message) reply(back)).message())
                .isInstanceOfSatisfying(
                        RegisterAnswer.class,
                        answer -> assertThat(answer.warning()).isEqualTo(NameShared.WARNING));
    }

    /// Trap: what a process sent before it ended arrives behind the registration of the next one.
    @Test
    void aHeartbeatThatWasOnItsWay_isNoProofOfASecondProcess_andItIsForgottenInTime() {
        core.register(W1, process("a"));
        core.register(W1, process("b"));
        assertThat(only(NameShared.class, core.beat(W1, "instance", new JsonString("a"))))
                .isEmpty();
        core.advance(HeldLeases.LATE);
        core.beat(W1, "instance", new JsonString("a"));

        for (var minute = 0; minute <= 10; minute++) {
            core.advance(Duration.ofMinutes(1));
            core.beat(W1, "instance", new JsonString("b"));
        }

        assertThat(core.on(new SessionInput.ListWorkers(1)))
                .allSatisfy(it -> assertThat(others(it)).isEmpty());
    }

    private static List<WorkerInstance> others(SessionOutput output) {
        return ((SessionReply.Workers) ((SessionOutput.Reply) output).reply())
                .workers().stream().flatMap(worker -> worker.other().stream()).toList();
    }

    /// Trap: the registration of a process was not durable yet when the orchestrator was killed, and its heartbeat is taken for one of the
    /// process before it, so that all that it has in work ends.
    @Test
    void aHeartbeatThatNamesItsProcess_holdsTheLeasesOfThatProcess_whateverWasKept() {
        var kept = only(Keep.class, core.register(W1, process("p1"))).getFirst();
        var restarted = new Core();
        restarted.recall(W1, kept.words());
        var own = restarted.task(W1, 1, "p2");
        restarted.on(new SessionInput.Held(own));

        var beat = restarted.beat(W1, "instance", new JsonString("p2"));

        assertThat(only(End.class, beat)).isEmpty();
        assertThat(only(NameShared.class, beat)).isEmpty();
        assertThat(joined(beat).instance()).isEqualTo(new WorkerInstance("p2"));
    }

    private static WorkerProfile joined(List<SessionOutput> outputs) {
        return only(Joined.class, outputs).getLast().profile();
    }

    private static JsonObject process(String name) {
        return JsonObject.of("instance", new JsonString(name));
    }

    @Test
    void theSameProcessOfAWorker_keepsItsLeases_whenItRegistersAfterARestart() {
        var process = JsonObject.of("instance", new JsonString("p1"));
        var kept = only(Keep.class, core.register(W1, process)).getFirst();
        var restarted = new Core();
        restarted.recall(W1, kept.words());
        restarted.on(new SessionInput.Held(restarted.task(W1, 1)));

        var again = restarted.register(W1, process);

        assertThat(only(Left.class, again)).isEmpty();
        assertThat(only(Keep.class, again)).as("is kept already").isEmpty();
        assertThat(reply(again)).isInstanceOf(SessionReply.Message.class);
        assertThat(only(Renew.class, restarted.beat(W1))).hasSize(1);
    }

    @Test
    void aRegistrationThatIsNotKept_isAnsweredWithAWarning() {
        var fails = only(Keep.class, core.register(W2)).getFirst();

        assertThat(warning(fails.reply(false))).contains("register again");
        assertThat(
                        ((RegisterAnswer) ((SessionReply.Message) fails.reply(true)).message())
                                .warning())
                .isNull();
    }

    private static String warning(SessionReply reply) {
        var answer = (RegisterAnswer) ((SessionReply.Message) reply).message();
        return String.valueOf(answer.warning());
    }

    @Test
    void aConnectedWorker_isReportedAnew_whenOthersKnowSomethingElseOfIt() {
        core.register(W1);

        assertThat(only(Joined.class, core.on(new SessionInput.Reviewed(W1)))).hasSize(1);
        assertThat(core.on(new SessionInput.Reviewed(W2))).isEmpty();
    }

    /// Beats the worker that is known after a restart of the orchestrator, and offers nothing, for as long as it lives.
    @Test
    void aHeartbeatOfAnUnknownWorker_thatDoesNotSayWhatItTakes_isAnsweredToRegister() {
        assertThat(reply(core.beat(W1, "current_tasks", JsonArray.of())))
                .isEqualTo(new SessionReply.UnknownWorker());
        assertThat(reply(core.beat(W1, "load", JsonNumber.of(0))))
                .isEqualTo(new SessionReply.UnknownWorker());

        assertThat(reply(core.beat(W1, "supported_tasks", TAKES)))
                .isInstanceOf(SessionReply.Refreshed.class);
        assertThat(reply(core.beat(W1, "load", JsonNumber.of(0))))
                .isInstanceOf(SessionReply.Refreshed.class);
    }

    @Test
    void aHeartbeat_isAnsweredWithWhatIsKnownOfTheWorker() {
        core.register(W1);

        var reply = (SessionReply.Refreshed) reply(core.beat(W1, "load", JsonNumber.of(1)));

        assertThat(reply.record().string("worker_id")).hasValue("w1");
        assertThat(reply.record().get("load")).hasValue(JsonValue.of(1));
        assertThat(reply.record().has("reputation")).isFalse();
    }
}
