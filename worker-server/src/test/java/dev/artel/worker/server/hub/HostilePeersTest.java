package dev.artel.worker.server.hub;

import static dev.artel.worker.server.hub.HubFixture.capabilities;
import static dev.artel.worker.server.hub.HubFixture.heartbeat;
import static dev.artel.worker.server.hub.HubFixture.message;
import static dev.artel.worker.server.hub.HubFixture.registration;
import static dev.artel.worker.server.hub.HubFixture.work;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Peers that are broken or mean: each ends with a code, and the pool stays as it was.
final class HostilePeersTest {
    private final HubFixture fixture = new HubFixture();
    private final WorkerHub hub = fixture.hub;

    /// W1: a frame `null` ended the process.
    @ParameterizedTest
    @ValueSource(strings = {"null", "[]", "1", "\"x\"", "true", "{", "", "{\"type\":null}", "{}"})
    void w01_aFrameThatIsNoMessage_isDropped_andTheThirdCloses(String frame) {
        var peer = fixture.worker("w-1", 1);

        peer.sends(frame).sends(frame);
        assertThat(peer.open).isTrue();
        peer.sends(frame);

        assertThat(peer.closeCode).isEqualTo(CloseCode.PROTOCOL_ERROR);
        assertThat(fixture.disconnected)
                .extracting(WorkerDisconnected::reason)
                .containsExactly(WorkerDisconnected.Reason.PROTOCOL_ERROR);
    }

    /// W2: a registration without capabilities was acknowledged, and broke each listing afterwards.
    @Test
    void w02_aRegistrationWithoutCapabilities_isRefused_andLeavesNothing() {
        var peer = fixture.connection();

        peer.sends("{\"type\":\"worker_registration\",\"workerId\":\"w-1\",\"workerName\":\"W\"}");

        assertRefused(peer, "capabilities: expected an object, found nothing");
        assertThat(hub.workers()).isEmpty();
        assertThat(fixture.connected).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"workerId\":7}",
                "{\"workerId\":\"\"}",
                "{\"workerId\":null}",
                "{\"workerName\":[]}",
                "{\"capabilities\":\"all\"}",
                "{\"capabilities\":{\"maxConcurrentRequests\":1,\"models\":{}}}",
                "{\"capabilities\":{\"maxConcurrentRequests\":1,\"models\":[7]}}",
                "{\"capabilities\":{\"maxConcurrentRequests\":1,\"models\":[{}]}}",
                "{\"capabilities\":{\"maxConcurrentRequests\":1,\"models\":[{\"modelId\":\"m\",\"supportsTools\":1}]}}",
                "{\"capabilities\":{\"maxConcurrentRequests\":1,\"models\":[{\"modelId\":\"m\",\"aliases\":[1]}]}}",
                "{\"capabilities\":{\"maxConcurrentRequests\":1,\"metadata\":3}}",
                "{\"capabilities\":{\"maxConcurrentRequests\":1,\"concurrencyLimits\":{\"a\":-1}}}",
                "{\"capabilities\":{\"maxConcurrentRequests\":1,\"concurrencyLimits\":{\"a\":\"b\"}}}"
            })
    void w02_aRegistrationOfWrongTypes_isRefused_andLeavesNothing(String changes) {
        var peer = fixture.connection();

        peer.sends(
                registration("w-1", capabilities(1, "m1"))
                        .merge((JsonObject) JsonText.read(changes)));

        assertRefused(peer, "invalid registration: ");
        assertThat(hub.workers()).isEmpty();
    }

    /// W3: a token that is no string ended the process.
    @Test
    void w03_aTokenThatIsNoString_isRefused() {
        var guarded = guarded();
        var peer = guarded.connection();

        peer.sends(registration("w-1", capabilities(1, "m1")).with("authToken", JsonValue.of(7)));

        assertRefused(peer, "authToken: expected a string, found 7");
        assertThat(guarded.hub.workers()).isEmpty();
    }

    /// W4: a token that was configured as empty turned authentication off.
    @ParameterizedTest
    @ValueSource(strings = {"", " ", "\t\n"})
    void w04_aBlankTokenInTheConfiguration_isRefused(String token) {
        assertThatThrownBy(() -> Authenticator.token(token))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("blank");
    }

    /// W5: any socket could send heartbeats for any worker, and keep a dead one alive.
    @Test
    void w05_aHeartbeatForAnotherWorker_closesItsSender_andDoesNotCount() {
        fixture.worker("w-1", 1);
        fixture.advance(Duration.ofSeconds(61));
        var foreign = fixture.worker("w-2", 1);
        var stranger = fixture.connection();

        foreign.sends(heartbeat("w-1"));
        stranger.sends(heartbeat("w-1"));

        assertThat(foreign.closeCode).isEqualTo(CloseCode.PROTOCOL_ERROR);
        assertThat(stranger.closeCode).isEqualTo(CloseCode.PROTOCOL_ERROR);
        assertThat(fixture.snapshot("w-1").status()).isEqualTo(PooledWorker.Status.UNHEALTHY);
    }

    /// W6: any socket could settle any request by its id.
    @Test
    void w06_onlyTheWorkerThatHasARequest_settlesIt() {
        hub.onMessage("work_complete", MessageEvent::complete);
        hub.onUnregisteredMessage(MessageEvent::complete);
        var owner = fixture.worker("w-1", 1);
        var other = fixture.worker("w-2", 1);
        assertThat(hub.dispatch(DispatchRequest.of(work("r-1")))).isPresent();
        assertThat(fixture.snapshot("w-1").requests().pendingIds()).containsExactly("r-1");

        other.sends(message("work_complete", "r-1"));
        fixture.connection().sends(message("work_complete", "r-1"));
        assertThat(fixture.snapshot("w-1").requests().active()).isEqualTo(1);

        owner.sends(message("work_complete", "r-1"));
        assertThat(fixture.snapshot("w-1").requests().completed()).isEqualTo(1);
        assertThat(fixture.snapshot("w-2").requests().completed()).isZero();
    }

    /// W7: the same id twice counted two requests and released one.
    @Test
    void w07_anIdThatIsInFlight_isRefused_andFreeAgainAfterwards() {
        fixture.worker("w-1", 5);
        var first = hub.dispatch(DispatchRequest.of(work("r-1"))).orElseThrow();

        assertThatThrownBy(() -> hub.dispatch(DispatchRequest.of(work("r-1"))))
                .isInstanceOf(RequestInFlight.class)
                .hasMessageContaining("r-1");
        assertThat(hub.trackRequest("w-1", "r-1")).isFalse();
        assertThat(fixture.snapshot("w-1").requests().active()).isEqualTo(1);

        first.complete();
        assertThat(hub.dispatch(DispatchRequest.of(work("r-1")))).isPresent();
        assertThat(first.fail()).as("a handle settles its own request alone").isFalse();
        assertThat(fixture.snapshot("w-1").requests().active()).isEqualTo(1);
    }

    /// W8: a socket that registered twice closed itself.
    @Test
    void w08_aSecondRegistrationOfAWorkerOnItsConnection_updatesIt() {
        var peer = fixture.worker("w-1", 1);
        hub.trackRequest("w-1", "r-1");
        var session = fixture.snapshot("w-1").sessionId();

        peer.sends(registration("w-1", capabilities(3, "m2")));

        assertThat(peer.open).isTrue();
        assertThat(peer.received("worker_registration_ack").getLast().string("sessionId"))
                .contains(session);
        var now = fixture.snapshot("w-1");
        assertThat(now.sessionId()).isEqualTo(session);
        assertThat(now.capabilities().maxConcurrentRequests()).isEqualTo(3);
        assertThat(now.requests().pendingIds()).containsExactly("r-1");
        assertThat(hub.availableSlots("m2")).isEqualTo(2);
        assertThat(fixture.connected).hasSize(1);
        assertThat(fixture.disconnected).isEmpty();
    }

    /// W9: a socket that registered two ids left the first one behind forever.
    @Test
    void w09_aSecondIdOnOneConnection_isRefused_andNoneIsLeft() {
        var peer = fixture.worker("w-1", 1);

        peer.sends(registration("w-2", capabilities(1, "m1")));

        assertRefused(peer, "this connection belongs to worker w-1");
        assertThat(hub.workers()).isEmpty();
        assertThat(fixture.disconnected).hasSize(1);
    }

    /// W11: `maxConcurrentRequests` of another type meant no limit at all.
    @ParameterizedTest
    @ValueSource(strings = {"\"two\"", "null", "0", "-1", "1.5", "10001", "1e3", "[]"})
    void w11_aMaximumThatIsNoNumberOfRequests_isRefused(String maximum) {
        var peer = fixture.connection();

        peer.sends(
                registration(
                        "w-1",
                        capabilities(1, "m1")
                                .with("maxConcurrentRequests", JsonText.read(maximum))));

        assertRefused(
                peer,
                "capabilities.maxConcurrentRequests: expected a whole number from 1 to 10000");
        assertThat(hub.workers()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 10_000})
    void w11_aMaximumWithinTheBounds_isAccepted(int maximum) {
        fixture.worker("w-1", maximum);

        assertThat(hub.availableSlots("m1")).isEqualTo(maximum);
    }

    /// W20: sockets that never registered stayed open forever.
    @Test
    void w20_aConnectionWithoutARegistration_isClosedAfterTenSeconds() {
        var peer = fixture.connection();

        fixture.advance(Duration.ofSeconds(10));
        assertThat(peer.open).isTrue();
        fixture.move(Duration.ofMillis(1));

        assertThat(peer.closeCode).isEqualTo(CloseCode.REGISTRATION_TIMEOUT);
        assertThat(peer.closeReason).isEqualTo("Registration timeout");
        assertThat(hub.connectionCount()).isZero();
    }

    /// W20: frames of 100 MiB were taken.
    @Test
    void w20_aMessageAboveTheCap_closes() {
        var small =
                new HubFixture(
                        HubOptions.DEFAULTS.withLimits(
                                HubLimits.DEFAULTS.withMaxMessageBytes(400)));
        var peer = small.worker("w-1", 1);
        peer.sends("{\"type\":\"t\",\"x\":\"" + "é".repeat(150) + "\"}");
        assertThat(peer.open).as("322 bytes").isTrue();

        peer.sends("{\"type\":\"t\",\"x\":\"" + "é".repeat(200) + "\"}");

        assertThat(peer.closeCode).isEqualTo(CloseCode.MESSAGE_TOO_LARGE);
    }

    /// A message that cannot be read may still be answered; its connection ends with the third.
    @Test
    void
            whatCannotBeRead_isReportedForRegisteredWorkers_andOneThatIsTooLargeGoesOnIfItIsAnswered() {
        var small =
                new HubFixture(
                        HubOptions.DEFAULTS.withLimits(
                                HubLimits.DEFAULTS.withMaxMessageBytes(400)));
        var frames = new ArrayList<UnreadableFrame>();
        var remove =
                small.hub.onUnreadable(frame -> frames.add(frame) && frame.text().contains("mine"));
        var stranger = small.connection();
        stranger.sends("{");
        var peer = small.worker("w-1", 1);

        peer.sends("{\"a\":NaN}");
        peer.sends("{\"mine\":\"" + "x".repeat(400) + "\"}");

        assertThat(peer.open).isTrue();
        assertThat(frames).extracting(frame -> frame.worker().id()).containsExactly("w-1", "w-1");
        assertThat(frames).extracting(UnreadableFrame::isTooLarge).containsExactly(false, true);
        assertThat(frames.getLast().problem()).isEqualTo("more than 400 bytes");
        peer.sends("{\"mine\":\"" + "x".repeat(400) + "\"}");
        assertThat(peer.closeCode).isEqualTo(CloseCode.PROTOCOL_ERROR);

        remove.run();
        small.worker("w-2", 1).sends("{");
        assertThat(frames).hasSize(3);
    }

    @Test
    void aHandlerOfWhatCannotBeRead_thatThrows_isLogged_andAnswersNothing() {
        try (var log = new CapturedLog()) {
            hub.onUnreadable(_ -> {
                throw new IllegalStateException("broken handler");
            });
            var peer = fixture.worker("w-1", 1);

            peer.input().onTooLarge(ByteBuffer.wrap(new byte[] {'{'}));

            assertThat(peer.closeCode).isEqualTo(CloseCode.MESSAGE_TOO_LARGE);
            assertThat(log.errors()).singleElement().asString().contains("broken handler");
        }
    }

    /// W20: there was no limit for the rate of messages.
    @Test
    void w20_aPeerThatSendsTooMuch_isClosed() {
        var slow =
                new HubFixture(
                        HubOptions.DEFAULTS.withLimits(
                                HubLimits.DEFAULTS.withMaxMessagesPerSecond(10)));
        slow.hub.onMessage("t", _ -> {});
        var peer = slow.worker("w-1", 1);
        for (var i = 0; i < 19; i++) {
            peer.sends("{\"type\":\"t\"}");
        }
        assertThat(peer.open).isTrue();

        peer.sends("{\"type\":\"t\"}");

        assertThat(peer.closeCode).isEqualTo(CloseCode.POLICY);
    }

    @Test
    void w20_aPeerThatTalksWithoutRegistering_isClosed() {
        var peer = fixture.connection();
        for (var i = 0; i < 100; i++) {
            peer.sends("{\"type\":\"t\"}");
        }
        assertThat(peer.open).isTrue();

        peer.sends("{\"type\":\"t\"}");

        assertThat(peer.closeCode).isEqualTo(CloseCode.POLICY);
    }

    @Test
    void w20_aPeerThatDoesNotRead_isClosed_andItsRequestsGoElsewhere() {
        var narrow =
                new HubFixture(
                        HubOptions.DEFAULTS.withLimits(HubLimits.DEFAULTS.withQueue(3, 10_000)));
        var stuck = narrow.worker("w-1", 10);
        var free = narrow.worker("w-2", 1);
        narrow.hub.trackRequest("w-2", "own");
        stuck.takes = false;
        assertThat(narrow.hub.dispatch(DispatchRequest.of(work("r-1")))).isPresent();
        for (var i = 0; i < 3; i++) {
            assertThat(narrow.hub.send("w-1", work("x"))).isTrue();
        }
        narrow.hub.releaseRequest("own");

        assertThat(narrow.hub.send("w-1", work("x"))).isFalse();

        assertThat(stuck.closeCode).isEqualTo(CloseCode.POLICY);
        assertThat(narrow.disconnected)
                .extracting(WorkerDisconnected::reason)
                .containsExactly(WorkerDisconnected.Reason.SLOW_CONSUMER);
        assertThat(free.received("work_request")).containsExactly(work("r-1"));
    }

    @Test
    void w20_connectionsAboveTheLimit_areTurnedAway() {
        var small =
                new HubFixture(
                        HubOptions.DEFAULTS.withLimits(HubLimits.DEFAULTS.withMaxConnections(1)));
        var first = small.connection();

        var second = small.connection();

        assertThat(first.open).isTrue();
        assertThat(second.closeCode).isEqualTo(CloseCode.TRY_AGAIN_LATER);
        assertThat(small.hub.connectionCount()).isEqualTo(1);
    }

    /// W25: workers that were refused together came back together.
    @Test
    void w25_aRefusalForNow_saysWhenToTryAgain_spreadAtRandom() {
        var strict =
                new HubFixture(HubOptions.DEFAULTS.withDuplicates(HubOptions.Duplicates.REFUSE));
        strict.worker("w-1", 1);
        var waits = new ArrayList<Long>();
        for (var i = 0; i < 50; i++) {
            var refused = strict.worker("w-1", 1);
            assertThat(refused.closeCode).isEqualTo(CloseCode.DUPLICATE_WORKER);
            var ack = refused.received("worker_registration_ack").getFirst();
            assertThat(ack.get("success")).contains(JsonValue.of(false));
            waits.add(ack.number("retryAfterMs").orElseThrow().asLong());
        }

        assertThat(waits).allSatisfy(wait -> assertThat(wait).isBetween(1L, 10_000L));
        assertThat(waits.stream().distinct().count()).isGreaterThan(40);
        assertThat(waits.stream().mapToLong(it -> it).average().orElseThrow())
                .isBetween(3_000.0, 7_000.0);
        assertThat(strict.hub.workerCount()).isEqualTo(1);
        assertThat(strict.disconnected).isEmpty();
    }

    @Test
    void binaryMessages_areReadAsUtf8_likeTexts() {
        var peer = fixture.connection();

        peer.input()
                .onBinary(
                        ByteBuffer.wrap(
                                JsonText.write(registration("w-1", capabilities(1, "m1")))));
        peer.input().onBinary(ByteBuffer.wrap(new byte[] {(byte) 0xc3, 0x28}));

        assertThat(hub.workerCount()).isEqualTo(1);
        assertThat(peer.open).isTrue();
    }

    @Test
    void aHeartbeatWithoutATimestamp_isAcknowledgedWithoutOne() {
        var peer = fixture.worker("w-1", 1);

        peer.sends("{\"type\":\"heartbeat\",\"workerId\":\"w-1\"}");

        assertThat(peer.texts.getLast())
                .isEqualTo(
                        "{\"type\":\"heartbeat_ack\",\"nextHeartbeatDeadline\":\"2026-03-01T10:01:00.000Z\"}");
    }

    @Test
    void aVeto_refusesARegistration_withItsCode_andSeesWhoIsThere() {
        var seen = new ArrayList<Admission.Candidate>();
        var picky =
                new HubFixture(
                        HubOptions.DEFAULTS.withAdmission(candidate -> {
                            seen.add(candidate);
                            return candidate.present() == null
                                    ? AdmissionVerdict.accepted(
                                            JsonObject.of("region", JsonValue.of("eu")))
                                    : AdmissionVerdict.refused(4409, "Taken", "it is taken");
                        }));
        var first = picky.worker("w-1", 1);

        var second = picky.worker("w-1", 1);

        assertThat(first.received("worker_registration_ack").getFirst().string("region"))
                .contains("eu");
        assertThat(second.closeCode).isEqualTo(4409);
        assertThat(second.received("worker_registration_ack").getFirst().string("error"))
                .contains("it is taken");
        assertThat(seen).extracting(Admission.Candidate::workerId).containsExactly("w-1", "w-1");
        assertThat(picky.hub.workerCount()).isEqualTo(1);
    }

    @Test
    void anAuthenticatorThatFails_refusesForNow() {
        var broken =
                new HubFixture(
                        HubOptions.DEFAULTS.withAuthenticator(_ -> {
                            throw new IllegalStateException("no database");
                        }));
        try (var log = new CapturedLog()) {
            var peer = broken.worker("w-1", 1);

            assertThat(peer.closeCode).isEqualTo(CloseCode.TRY_AGAIN_LATER);
            assertThat(peer.received("worker_registration_ack").getFirst().has("retryAfterMs"))
                    .isTrue();
            assertThat(log.errors()).anySatisfy(line -> assertThat(line).contains("no database"));
        }
    }

    /// Trap: strangers fill the disk by what is logged about them.
    @Test
    void warningsAboutPeers_areBounded_inEachMinute() {
        try (var log = new CapturedLog()) {
            for (var i = 0; i < 200; i++) {
                fixture.connection().sends("null").sends("null").sends("null");
            }
            assertThat(log.warnings()).hasSize(PeerWarnings.MOST);

            fixture.advance(Duration.ofMinutes(1));
            fixture.connection().sends("null");

            assertThat(log.warnings()).hasSize(PeerWarnings.MOST + 2);
            assertThat(log.warnings().get(PeerWarnings.MOST)).contains("left out", "500");
            assertThat(log.warnings().getLast()).contains("message dropped");
        }
    }

    @Test
    void aTokenIsNeverLogged() {
        try (var log = new CapturedLog()) {
            guarded()
                    .connection()
                    .sends(
                            registration("w-1", capabilities(1, "m1"))
                                    .with("authToken", JsonValue.of("hush-hush")));

            assertThat(log.warnings())
                    .isNotEmpty()
                    .noneSatisfy(line -> assertThat(line).contains("hush-hush"));
        }
        assertThat(
                        new Authenticator.Credentials(
                                        "w-1",
                                        "hush-hush",
                                        "10.0.0.1",
                                        new FakeConnection("10.0.0.1"))
                                .toString())
                .doesNotContain("hush-hush");
    }

    private static HubFixture guarded() {
        return new HubFixture(HubOptions.DEFAULTS.withAuthenticator(Authenticator.token("s")));
    }

    private static void assertRefused(FakeConnection peer, String error) {
        var ack = peer.received("worker_registration_ack").getLast();
        assertThat(ack.get("success")).contains(JsonValue.of(false));
        assertThat(ack.string("error").orElseThrow()).contains(error);
        assertThat(peer.closeCode).isEqualTo(CloseCode.PROTOCOL_ERROR);
        assertThat(peer.closeReason).isEqualTo("Protocol error");
        assertThat(peer.open).isFalse();
    }
}
