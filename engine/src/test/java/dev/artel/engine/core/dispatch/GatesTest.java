package dev.artel.engine.core.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonObject;
import dev.artel.kernel.task.Rate;
import dev.artel.kernel.task.SharedLimit;
import dev.artel.kernel.task.TaskOutline;
import dev.artel.kernel.task.TaskSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class GatesTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final String KEY = "api";
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private static final Gates.Waiter NOBODY =
            new Gates.Waiter() {
                @Override
                public void lookAgain() {}

                @Override
                public DemandClass demand() {
                    throw new AssertionError("nobody wakes it here");
                }
            };

    private final Gates gates = new Gates();

    /// The limit of this number: one each minute, and a burst that no other one has.
    private static SharedLimit limit(int number) {
        return SharedLimit.rate(KEY, Rate.of(1, MINUTE).withBurst(number));
    }

    private List<Gates.Pass> pass(int number) {
        return gates.named(List.of(limit(number)));
    }

    private void take(int number) {
        var spec = TaskSpec.of("call", JsonObject.EMPTY);
        gates.take(new TaskOutline("b", spec.type(), spec.demand(), List.of(limit(number))));
    }

    private Optional<Gates.Closed> closed(int number) {
        return Optional.ofNullable(gates.closed(pass(number))).map(gates::closed);
    }

    /// Trap: a blueprint computes the rate of a key that is never idle, and each one that it ever named stays in memory.
    @Test
    void ratesThatHaveRecovered_areForgotten_alsoWhileTheirKeyIsInUse() {
        gates.join(pass(1));

        for (var i = 1; i <= 10 * Gates.MOST_RATES; i++) {
            gates.at(NOW.plus(MINUTE.multipliedBy(i)));
            assertThat(closed(i)).isEmpty();
            take(i);
        }
    }

    /// Trap: a blueprint computes rates, the oldest is forgotten although it has not recovered, and is exceeded.
    @Test
    void whileTooManyRatesOfAKeyHaveNotRecovered_aFurtherOneWaits_andNoneIsExceeded() {
        gates.at(NOW);
        gates.join(pass(1));
        for (var i = 1; i <= Gates.MOST_RATES; i++) {
            assertThat(closed(i)).isEmpty();
            take(i);
        }

        assertThat(closed(1)).as("it is used up").isPresent();
        assertThat(closed(2)).as("it has one more").isEmpty();
        assertThat(closed(Gates.MOST_RATES + 1))
                .hasValueSatisfying(why -> {
                    assertThat(why.key()).isEqualTo(KEY);
                    assertThat(why.until()).contains(NOW.plus(MINUTE));
                });

        gates.at(NOW.plus(MINUTE));
        assertThat(closed(Gates.MOST_RATES + 1)).isEmpty();
    }

    /// Trap: who waits until a further rate can be remembered waits forever.
    @Test
    void whoWaitsForAFurtherRate_isWokenWhenOneHasRecovered() {
        gates.at(NOW);
        gates.join(pass(1));
        for (var i = 1; i <= Gates.MOST_RATES; i++) {
            take(i);
        }

        gates.park(pass(Gates.MOST_RATES + 1).getFirst(), NOBODY);

        assertThat(gates.next()).contains(NOW.plus(MINUTE));
    }

    /// Trap: with the clock set back, who waits for a further rate waits until the clock is there again.
    @Test
    void withTheClockSetBack_aFurtherRateWaitsNoLonger() {
        gates.at(NOW);
        gates.join(pass(1));
        for (var i = 1; i <= Gates.MOST_RATES; i++) {
            take(i);
        }
        assertThat(closed(Gates.MOST_RATES + 1)).isPresent();

        var before = NOW.minus(Duration.ofDays(1));
        gates.at(before);
        gates.at(before.plus(MINUTE));

        assertThat(closed(Gates.MOST_RATES + 1)).isEmpty();
    }

    /// Trap: leases that live after a restart are too many to be counted, and their rates are exceeded.
    @Test
    void whatIsTaken_isCounted_howeverManyRatesThereAre() {
        gates.at(NOW);
        gates.join(pass(1));
        for (var i = 1; i <= 3 * Gates.MOST_RATES; i++) {
            take(i);
        }

        assertThat(closed(1)).isPresent();
    }

    private static SharedLimit limitOf(int key) {
        return SharedLimit.rate(KEY + key, Rate.of(1, MINUTE));
    }

    private static TaskOutline taskOf(SharedLimit limit) {
        var spec = TaskSpec.of("call", JsonObject.EMPTY);
        return new TaskOutline("b", spec.type(), spec.demand(), List.of(limit));
    }

    private Optional<Gates.Closed> closedOf(SharedLimit limit) {
        return Optional.ofNullable(gates.closed(gates.named(List.of(limit)))).map(gates::closed);
    }

    /// Uses up the rates of the keys 1 to [Gates#MOST_COOLING], of which none is in use afterwards.
    private void useUpKeys() {
        for (var i = 1; i <= Gates.MOST_COOLING; i++) {
            assertThat(gates.closed(gates.named(List.of(limitOf(i))))).isNull();
            gates.take(taskOf(limitOf(i)));
            gates.free(taskOf(limitOf(i)));
        }
    }

    /// Trap: a blueprint computes keys, the one left longest ago is forgotten although it has not recovered, and is exceeded.
    @Test
    void whileTooManyKeysHaveNotRecovered_aFurtherOneWaits_andNoneIsExceeded() {
        gates.at(NOW);
        useUpKeys();

        var further = limitOf(Gates.MOST_COOLING + 1);
        assertThat(closedOf(limitOf(1))).as("it is used up").isPresent();
        assertThat(closedOf(further))
                .hasValueSatisfying(why -> {
                    assertThat(why.key()).isEqualTo(further.key());
                    assertThat(why.rate()).isEqualTo(further.rate());
                    assertThat(why.until()).contains(NOW.plus(MINUTE));
                });
        assertThat(closedOf(SharedLimit.concurrent("other", 1))).as("it has no rate").isEmpty();

        gates.at(NOW.plus(MINUTE));
        assertThat(closedOf(further)).isEmpty();
    }

    @Test
    void keysThatHaveRecovered_areForgotten_fewAtATime() {
        gates.at(NOW);
        useUpKeys();

        for (var i = 0; i < 200; i++) {
            gates.at(NOW.plus(MINUTE));
        }

        assertThat(gates.size()).isZero();
    }

    /// Trap: who waits for a further key waits forever, or all who do are woken again and again by each that recovers.
    @Test
    void whoWaitsForAFurtherKey_isWokenWhenOneHasRecovered_andNotAtOnce() {
        gates.at(NOW);
        useUpKeys();
        gates.at(NOW.plus(MINUTE).minusMillis(1));

        gates.park(gates.named(List.of(limitOf(Gates.MOST_COOLING + 1))).getFirst(), NOBODY);

        assertThat(gates.next()).contains(NOW.plus(MINUTE).minusMillis(1).plusSeconds(1));
    }

    /// Trap: with the clock set back, no key is forgotten until the clock is there again.
    @Test
    void withTheClockSetBack_keysRecoverFromThereOn() {
        gates.at(NOW);
        useUpKeys();

        var before = NOW.minus(Duration.ofDays(1));
        gates.at(before);
        assertThat(closedOf(limitOf(Gates.MOST_COOLING + 1))).isPresent();
        gates.at(before.plus(MINUTE));

        assertThat(closedOf(limitOf(Gates.MOST_COOLING + 1))).isEmpty();
    }
}
