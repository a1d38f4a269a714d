package dev.artel.json.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class FairSharesTest {
    private final FairShares shares = new FairShares(100);

    /// Trap: many peers take half of all each, and nothing is left for the next one.
    @Test
    void eachPeer_hasHalfOfWhatOthersLeave() {
        assertThat(shares.hasRoom("anna", 51)).isFalse();
        shares.take("anna", 50);
        assertThat(shares.hasRoom("ben", 26)).isFalse();
        shares.take("ben", 25);

        assertThat(shares.hasRoom("anna", 1)).isFalse();
        assertThat(shares.hasRoom("carl", 12)).isTrue();
        assertThat(shares.hasRoom("carl", 13)).isFalse();
    }

    @Test
    void whatIsFree_isThereForOthers_andNoPeerIsKept() {
        shares.take("anna", 30);
        shares.take("anna", 20);
        shares.free("anna", 20);
        assertThat(shares.of("anna")).isEqualTo(30);

        shares.free("anna", 30);

        assertThat(shares.taken()).isZero();
        assertThat(shares.of("anna")).isZero();
        assertThat(shares.hasRoom("ben", 50)).isTrue();
    }
}
