package dev.artel.gateway.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.kernel.attempt.WorkerId;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class TokenConnectionsTest {
    private final AtomicInteger most = new AtomicInteger(2);
    private final TokenConnections connections = new TokenConnections(most::get);

    @Test
    void aTokenHoldsAsManyAsItMay_andAnotherOneAsManyAgain() {
        var first = connections.take("a", null).orElseThrow();
        assertThat(connections.take("a", null)).isPresent();

        assertThat(connections.take("a", null)).isEmpty();
        assertThat(connections.take("b", null)).isPresent();
        assertThat(connections.refused()).isEqualTo(1);

        first.close();
        first.close();
        assertThat(connections.take("a", null)).isPresent();
        assertThat(connections.take("a", null)).isEmpty();
        assertThat(connections.open()).isEqualTo(3);
    }

    @Test
    void allTokensOfOneWorker_countAsOne_withABoundOfTheirOwn() {
        var worker = new WorkerId("w1");
        for (var i = 0; i < TokenConnections.OF_ONE_WORKER; i++) {
            assertThat(connections.take("token-" + i % 2, worker)).isPresent();
        }

        assertThat(connections.take("token-3", worker)).isEmpty();
        assertThat(connections.take("token-0", null)).isPresent();
    }

    /// Trap: each name of a pattern, and each token that was exchanged for the one of all workers, counts by itself, and the bound by none.
    @Test
    void workersThatShareAToken_haveNoMoreThanItTogether() {
        var shared = new TokenConnections(most::get, worker -> worker.value().substring(0, 3));
        var first = shared.take("exchanged-1", new WorkerId("gpu-1")).orElseThrow();
        assertThat(shared.take("exchanged-2", new WorkerId("gpu-2"))).isPresent();

        assertThat(shared.take("exchanged-3", new WorkerId("gpu-3"))).isEmpty();
        assertThat(shared.take("other", new WorkerId("cpu-1"))).isPresent();
        assertThat(shared.open()).isEqualTo(3);
        assertThat(shared.holder("exchanged-1", new WorkerId("gpu-1")))
                .isEqualTo(shared.holder("exchanged-2", new WorkerId("gpu-2")))
                .isNotEqualTo(shared.holder("other", new WorkerId("cpu-1")));

        first.close();
        first.close();
        assertThat(shared.take("exchanged-3", new WorkerId("gpu-3"))).isPresent();
        assertThat(shared.take("exchanged-1", new WorkerId("gpu-1"))).isEmpty();
        assertThat(shared.open()).isEqualTo(3);
    }

    @Test
    void oneThatTakesThePlaceOfAnother_isTaken_andTheBoundMayChange() {
        assertThat(connections.take("a", null)).isPresent();
        var old = connections.take("a", null).orElseThrow();

        var next = connections.replace("a", null);
        old.close();
        assertThat(connections.take("a", null)).isEmpty();
        next.close();
        assertThat(connections.take("a", null)).isPresent();

        most.set(0);
        assertThat(connections.take("a", null)).isPresent();
    }
}
