package dev.artel.gateway.zeromq;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.gateway.access.WorkerLimits;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class WorkerLinksTest {
    private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");
    private static final PeerName PEER = PeerName.ofWorker("w1");

    private final WorkerLinks links = new WorkerLinks(Duration.ofSeconds(3));

    @Test
    void aWorkerIsGone_afterMoreThanTheTimeout_andNotAtTheVeryMoment() {
        links.put(link("a"));

        assertThat(tickUntil(Duration.ofSeconds(3))).isEmpty();
        assertThat(links.silent(BEGIN.plusSeconds(3).plusMillis(1))).hasSize(1);
    }

    @Test
    void aHeartbeat_beginsTheTimeAnew() {
        var link = link("a");
        links.put(link);
        tickUntil(Duration.ofSeconds(3));

        link.heard(BEGIN.plusSeconds(2));

        assertThat(links.silent(BEGIN.plusSeconds(4))).isEmpty();
        assertThat(links.silent(BEGIN.plusSeconds(5))).isEmpty();
        assertThat(links.silent(BEGIN.plusSeconds(5).plusMillis(1))).hasSize(1);
    }

    @Test
    void aStandstillOfTheProcess_makesNoWorkerSilent() {
        links.put(link("a"));
        assertThat(links.silent(BEGIN)).isEmpty();

        assertThat(links.silent(BEGIN.plusSeconds(60))).isEmpty();
        assertThat(links.silent(BEGIN.plusSeconds(61))).isEmpty();
    }

    /// Trap: a heartbeat that lists a hundred thousand leases which it does not hold is compared with itself, and all workers wait for minutes.
    @Test
    void leasesThatWereLost_areFoundInListsOfAnyLength() {
        var link = link("a");
        var lost = IntStream.range(0, 200_000).mapToObj(i -> new LeaseToken("l" + i)).toList();
        link.lost(lost);

        assertThat(link.lostOf(lost)).hasSize(200_000);
        assertThat(link.lostOf(List.of(new LeaseToken("other")))).isEmpty();
    }

    /// Trap: names with one hash in common, as peers can choose them, are compared each with each.
    @Test
    void leasesWhoseNamesHaveOneHash_areFoundAsQuickly() {
        var link = link("a");
        var lost =
                IntStream.range(0, 1 << 17)
                        .mapToObj(i ->
                                new LeaseToken(
                                        IntStream.range(0, 17)
                                                .mapToObj(bit -> (i >> bit & 1) == 0 ? "Aa" : "BB")
                                                .collect(Collectors.joining())))
                        .toList();
        link.lost(lost);

        assertThat(link.lostOf(lost)).hasSize(1 << 17);
    }

    @Test
    void aNameIsTaken_byAnotherProcessThatWasHeardOfLately() {
        links.put(link("a"));

        assertThat(links.isTaken("w1", "a", BEGIN.plusSeconds(1))).isFalse();
        assertThat(links.isTaken("w1", "b", BEGIN.plusSeconds(3))).isTrue();
        assertThat(links.isTaken("w1", "b", BEGIN.plusSeconds(3).plusMillis(1))).isFalse();
        assertThat(links.isTaken("w2", "b", BEGIN)).isFalse();
    }

    @Test
    void aSessionThatWasReplaced_doesNotEndItsSuccessor() {
        var first = link("a");
        var second = link("a");
        links.put(first);

        assertThat(links.put(second)).isSameAs(first);

        assertThat(links.remove(first)).isFalse();
        assertThat(links.find(PEER)).isSameAs(second);
        assertThat(links.remove(second)).isTrue();
        assertThat(links.remove(second)).isFalse();
    }

    /// A worker that comes back with sockets of another identity.
    @Test
    void aWorkerHasOneSession_whateverItsIdentity() {
        var first = link("a");
        var secret = PeerName.of("~0123456789abcdef01234567".getBytes(US_ASCII));
        var second = link(secret, "b");
        links.put(first);

        assertThat(links.put(second)).isSameAs(first);

        assertThat(links.find(PEER)).isNull();
        assertThat(links.find(secret)).isSameAs(second);
        assertThat(links.ofWorker("w1")).isSameAs(second);
        assertThat(secret.toString()).isEqualTo("~012...");
        assertThat(links.remove(first)).isFalse();
        assertThat(links.ofWorker("w1")).isSameAs(second);
    }

    @Test
    void pushesBegin_onceWithTheSecondGreeting() {
        var link = link("a");

        assertThat(link.greeted(WirePort.TASKS)).isFalse();
        assertThat(link.greeted(WirePort.TASKS)).isFalse();
        assertThat(link.greeted(WirePort.RESULTS)).isTrue();
        assertThat(link.greeted(WirePort.RESULTS)).isFalse();
    }

    @Test
    void aResultThatWasTaken_isRemembered() {
        var link = link("a");
        var token = new LeaseToken("job.0.1.x");
        assertThat(link.isSettled(token)).isFalse();

        link.settled(token);

        assertThat(link.isSettled(token)).isTrue();
    }

    @Test
    void aWorkerThatCouldNotBeReached_isPushedNothing_untilItIs() {
        var link = link("a");
        assertThat(link.resumes()).isFalse();

        link.pause(true);
        link.pause(false);
        assertThat(link.resumes()).isFalse();
        link.isReachable();

        assertThat(link.resumes()).isTrue();
        assertThat(link.resumes()).isFalse();
    }

    private List<WorkerLink> tickUntil(Duration time) {
        var silent = List.<WorkerLink>of();
        for (var at = Duration.ZERO; at.compareTo(time) <= 0; at = at.plusMillis(500)) {
            silent = links.silent(BEGIN.plus(at));
        }
        return silent;
    }

    private static WorkerLink link(String instance) {
        return link(PEER, instance);
    }

    private static WorkerLink link(PeerName peer, String instance) {
        return new WorkerLink(
                peer,
                new WorkerLink.Introduction(
                        new WorkerId("w1"), instance, 1, Optional.empty(), -1, false),
                WorkerLimits.NONE.connections().replace("token", null),
                BEGIN);
    }
}
