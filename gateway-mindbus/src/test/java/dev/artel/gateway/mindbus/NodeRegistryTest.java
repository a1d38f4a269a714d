package dev.artel.gateway.mindbus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.kernel.attempt.LeaseEnd;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/// Who is there: passports, heartbeats, leases, restarts.
final class NodeRegistryTest extends BusTestCase {
    @Test
    void anAgentThatRegisters_isAWorkerOfTheFleet() throws Exception {
        var agent = present("echo");

        var worker = server.find(agent.name);

        assertThat(worker.wire()).isEqualTo("mindbus");
        assertThat(worker.profile().capabilities().tasks()).containsExactly("echo");
        assertThat(worker.profile().slots().total()).isEqualTo(1);
        assertThat(worker.record().object("labels").orElseThrow().string("role"))
                .hasValue("tester");
        assertThat(worker.record().string("instance")).hasValue(agent.uid);
    }

    /// Trap: every account that may publish on the exchange is any worker, gets its tasks and ends its leases.
    @Test
    void aNameThatHasATokenOfItsOwn_isNotTakenFromTheBus() throws Exception {
        var stranger = agent();
        var passport =
                json(
                        "{\"metadata\":{\"uid\":\"u-1\",\"name\":\"%s\"},\"spec\":{\"capabilities\":[\"echo\"]}}"
                                .formatted(BusServer.TAKEN));
        stranger.event("registry.node_registered", JsonObject.of("node_passport", passport));
        stranger.event(
                "node.heartbeat",
                JsonObject.of(
                        "name", new JsonString(BusServer.TAKEN), "node_id", new JsonString("u-1")));

        stranger.register(600, "echo");
        awaitThere(stranger);

        assertThat(server.isThere(BusServer.TAKEN)).isFalse();
    }

    /// Trap: no routing key has more than 255 bytes, and each command for the agent puts all commands behind it in doubt.
    @Test
    void aNameWithoutARoutingKey_isNotTaken_andNeitherIsAPattern() throws Exception {
        var longest = agent("é".repeat(123) + ".");
        var beyond = agent("other");
        var pattern = agent("other");
        register(beyond, "é".repeat(124));
        register(pattern, "agent.*");
        longest.register(600, "echo");
        awaitThere(longest);

        assertThat(server.isThere("é".repeat(124))).isFalse();
        assertThat(server.isThere("agent.*")).isFalse();
        var job = server.engine.submit("echo");
        longest.succeed(longest.command(), JsonObject.EMPTY);
        awaitReport(job);
    }

    private static void register(TestAgent stranger, String name) throws Exception {
        stranger.event(
                "node.registered",
                JsonObject.of(
                        "passport",
                        json(
                                "{\"metadata\":{\"uid\":\"u-1\",\"name\":\"%s\"},\"spec\":{\"capabilities\":[\"echo\"]}}"
                                        .formatted(name))));
        stranger.event(
                "node.heartbeat",
                JsonObject.of("name", new JsonString(name), "node_id", new JsonString("u-1")));
    }

    @Test
    void aPassportInCamelCase_withPlainCapabilities_isReadTheSame() throws Exception {
        var agent = agent();
        var passport =
                json(
                        """
                        {"metadata":{"uid":"u-1","name":"%s","nodeType":"agent","labels":{"zone":"a"}},
                         "spec":{"nodeType":"agent","capabilities":["echo","other"],
                                 "resources":{"limits":{"concurrentTasks":3}}},
                         "status":{"phase":"Running","lease":{"leaseDurationSeconds":900}}}\
                        """
                                .formatted(agent.name));

        agent.event("registry.node_registered", JsonObject.of("node_passport", passport));

        awaitThere(agent);
        var worker = server.find(agent.name);
        assertThat(worker.profile().capabilities().tasks()).containsExactly("echo", "other");
        assertThat(worker.profile().slots().total()).isEqualTo(3);
        assertThat(worker.record().object("labels").orElseThrow().string(Passport.LEASE))
                .hasValue("900");
    }

    @Test
    void aPassportAtTheTopOfTheData_isRead() throws Exception {
        var agent = agent();
        var registration = agent.registration(agent.uid, 600, "echo");

        agent.publishEvent("evt.node.registered", agent.envelope("ai.team.event", registration));

        awaitThere(agent);
    }

    /// The agents of the contract are in the same place whether a passport has resources or not.
    @Test
    void anAgentWithoutResources_doesOneTaskAtATime() {
        var passport =
                Passport.read(
                        json(
                                "{\"passport\":{\"metadata\":{\"uid\":\"u\",\"name\":\"n\"},\"spec\":{\"resources\":null,\"capabilities\":[\"a\"]}}}"),
                        "n",
                        server.config.terms().lease());

        assertThat(passport.concurrency()).isEqualTo(1);
        assertThat(passport.lease()).isEqualTo(server.config.terms().lease());
    }

    @Test
    void aSilentAgent_isGoneWhenItsOwnLeaseIsOver_andItsTaskIsQueuedAgain() throws Exception {
        var agent = agent();
        agent.register(2, "echo");
        var job = server.engine.submit("echo");
        awaitTrue(() -> {
            agent.heartbeat();
            return agent.hasCommand();
        });

        awaitTrue(() -> server.engine.endings(job).contains(LeaseEnd.Lost.WORKER_GONE));
        awaitTrue(() -> !server.isThere(agent.name));
    }

    @Test
    void heartbeats_keepAnAgent() throws Exception {
        // The broker of a busy machine may be late with the heartbeats of a whole lease.
        var lease = 3L;
        while (!isKeptByHeartbeats(lease)) {
            lease *= 3;
            assertThat(lease).isLessThan(60);
        }
    }

    /// Whether an agent is there for more than twice its lease.
    private boolean isKeptByHeartbeats(long lease) throws Exception {
        var agent = agent();
        agent.register(lease, "echo");
        awaitThere(agent);
        var end = System.nanoTime() + Duration.ofMillis(2_300 * lease).toNanos();
        var isGone = new AtomicBoolean();

        awaitTrue(() -> {
            agent.heartbeat();
            isGone.set(server.gateway().uidOf(agent.name).isEmpty());
            return isGone.get() || System.nanoTime() > end;
        });
        return !isGone.get();
    }

    @Test
    void anAgentThatLeaves_isGone() throws Exception {
        var agent = present("echo");

        agent.event(
                "node.deregistered",
                JsonObject.builder()
                        .put("node_id", agent.uid)
                        .put("name", agent.name)
                        .put("reason", "GracefulShutdown")
                        .build());

        awaitTrue(() -> !server.isThere(agent.name));
    }

    /// Trap: the names of former processes are remembered, and each of them may have megabytes.
    @Test
    void aProcessWithAVeryLongName_isKnownByItsDigest() throws Exception {
        var agent = present("echo");

        agent.heartbeat("u".repeat(100_000));

        awaitTrue(() ->
                server.gateway()
                        .uidOf(agent.name)
                        .filter(uid -> !uid.equals(agent.uid))
                        .filter(uid -> uid.length() == 64)
                        .isPresent());
    }

    @Test
    void aNameInUse_isTakenOver_andTheTaskOfTheFormerProcessIsQueuedAgain() throws Exception {
        var agent = present("echo");
        var job = server.engine.submit("echo");
        var first = agent.command();
        var next = UUID.randomUUID().toString();

        agent.event("node.registered", agent.registration(next, 600, "echo"));

        awaitTrue(() -> server.engine.endings(job).contains(LeaseEnd.Lost.WORKER_RESTARTED));
        awaitTrue(() -> server.gateway().uidOf(agent.name).filter(next::equals).isPresent());
        var second = agent.command();
        assertThat(second.id()).isNotEqualTo(first.id());
        agent.succeed(first, json("{\"by\":\"first\"}"));
        agent.succeed(second, json("{\"by\":\"second\"}"));
        assertThat(output(awaitReport(job))).isEqualTo(json("{\"by\":\"second\"}"));
    }

    @Test
    void heartbeatsOfTheProcessThatWasReplaced_areNotHeard() throws Exception {
        var agent = present("echo");
        var next = UUID.randomUUID().toString();
        agent.event("node.registered", agent.registration(next, 600, "echo"));
        awaitTrue(() -> server.gateway().uidOf(agent.name).filter(next::equals).isPresent());

        agent.heartbeat(agent.uid);
        var received = server.gateway().counts().received();
        agent.heartbeat(next);
        awaitTrue(() -> server.gateway().counts().received() > received);

        assertThat(server.gateway().uidOf(agent.name)).hasValue(next);
    }

    @Test
    void aHeartbeatOfAnUnknownProcess_reusesWhatTheNameCouldDo() throws Exception {
        var agent = present("echo");
        var next = UUID.randomUUID().toString();

        agent.heartbeat(next);

        awaitTrue(() -> server.gateway().uidOf(agent.name).filter(next::equals).isPresent());
        var worker = server.find(agent.name);
        assertThat(worker.profile().capabilities().tasks()).containsExactly("echo");
        assertThat(worker.record().object("labels").orElseThrow().string(Passport.PROVISIONAL))
                .hasValue("true");
    }

    @Test
    void aHeartbeatOfAnUnknownName_isAProvisionalEntry_andASeedNamesItsCapabilities()
            throws Exception {
        var seeded = freshName();
        var seeds = new LinkedHashMap<String, List<String>>();
        seeds.put(seeded, List.of("echo"));
        server.close();
        server = new BusServer(server.config.withSeeds(seeds));
        server.awaitConnected();
        var known = agent(seeded);
        var unknown = agent();

        unknown.heartbeat();
        known.heartbeat();

        awaitThere(known);
        awaitThere(unknown);
        var empty = server.find(unknown.name);
        assertThat(empty.profile().capabilities().tasks()).isEmpty();
        var job = server.engine.submit("echo");
        known.succeed(known.command(), JsonObject.EMPTY);
        awaitReport(job);
    }

    @Test
    void afterARestartOfTheOrchestrator_aHeartbeatIsEnough_andTheTaskGoesOn() throws Exception {
        var agent = present("echo");
        var job = server.engine.submit("echo");
        var command = agent.command();

        server.restart();
        agent.heartbeat();
        awaitThere(agent);
        assertThat(agent.command().id()).as("sent again").isEqualTo(command.id());
        agent.succeed(command, json("{\"text\":\"kept\"}"));

        assertThat(output(awaitReport(job))).isEqualTo(json("{\"text\":\"kept\"}"));
        assertThat(server.engine.endings(job)).isEmpty();
        var next = server.engine.submit("echo");
        agent.succeed(agent.command(), JsonObject.EMPTY);
        awaitReport(next);
    }

    @Test
    void anAnswerThatWaitedInTheQueue_isTakenAfterTheRestart() throws Exception {
        var agent = present("echo");
        var job = server.engine.submit("echo");
        var command = agent.command();
        server.gateway().close();
        agent.succeed(command, json("{\"text\":\"waited\"}"));

        server.restart();

        assertThat(output(awaitReport(job))).isEqualTo(json("{\"text\":\"waited\"}"));
        assertThat(server.engine.endings(job)).isEmpty();
    }

    @Test
    void labelsBeyondTheLimit_areLeftOut_thoseOfCapabilitiesFirst() {
        var labels = JsonObject.builder();
        for (var i = 0; i < 60; i++) {
            labels.put("capability.c" + i, "true");
        }
        labels.put("zone", "a");
        var event =
                JsonObject.builder()
                        .put(
                                "metadata",
                                JsonObject.builder()
                                        .put("uid", "u")
                                        .put("name", "n")
                                        .put("labels", labels.build())
                                        .build())
                        .put(
                                "spec",
                                JsonObject.of("capabilities", JsonArray.of(new JsonString("a"))))
                        .build();

        var words = Passport.read(event, "n", server.config.terms().lease()).register();

        assertThat(words.profile().labels()).containsEntry("zone", "a").hasSizeLessThan(51);
        assertThat(Passport.recalled(words))
                .hasValueSatisfying(
                        passport -> assertThat(passport.capabilities()).containsExactly("a"));
    }

    @Test
    void anAgentThatIsNotReady_getsNothing_untilItIs() throws Exception {
        var agent = present("echo");
        var other = agent();
        // Over one channel, so that the one is heard before the other.
        other.heartbeatOf(agent, "NOT_READY");
        other.register(600, "write");
        awaitThere(other);

        var job = server.engine.submit("echo");
        var written = server.engine.submit("write");
        other.succeed(other.command(), JsonObject.EMPTY);
        awaitReport(written);
        assertThat(agent.hasCommand()).isFalse();
        assertThat(server.isThere(agent.name)).isTrue();

        agent.heartbeatOf(agent, "READY");
        agent.succeed(agent.command(), JsonObject.EMPTY);
        awaitReport(job);
    }

    @Test
    void anAgentThatRegistersAgainAsTheSameProcess_keepsItsTasks() throws Exception {
        var agent = present("echo");
        var job = server.engine.submit("echo");
        var command = agent.command();

        agent.register(600, "echo", "write");
        var next = server.engine.submit("write");
        agent.succeed(command, JsonObject.EMPTY);

        awaitReport(job);
        agent.succeed(agent.command(), JsonObject.EMPTY);
        awaitReport(next);
        assertThat(server.engine.endings(job)).isEmpty();
        assertThat(server.engine.attempts(job)).isEqualTo(1);
    }
}
