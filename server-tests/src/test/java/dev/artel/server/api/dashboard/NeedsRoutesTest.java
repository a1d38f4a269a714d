package dev.artel.server.api.dashboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.artel.gateway.http.HttpRefusal;
import org.junit.jupiter.api.Test;

/// Places in the list of needs.
final class NeedsRoutesTest {
    /// Trap: a page that ends at the job of another client gives its id away in the cursor.
    @Test
    void aPlaceWithoutAJob_isBetweenTheItemsOfItsMillisecond() {
        var place = NeedsRoutes.numbered("0100", 2);

        assertThat(place).isEqualTo("0100 +2");
        assertThat(NeedsRoutes.isBehind(place, "0099 z approval 1", 9)).isFalse();
        assertThat(NeedsRoutes.isBehind(place, "0100 a approval 1", 1)).isFalse();
        assertThat(NeedsRoutes.isBehind(place, "0100 b approval 1", 2)).isFalse();
        assertThat(NeedsRoutes.isBehind(place, "0100 c approval 1", 3)).isTrue();
        assertThat(NeedsRoutes.isBehind(place, "0101 a approval 1", 1)).isTrue();
        assertThatThrownBy(() -> NeedsRoutes.isBehind("0100 +x", "0100 a approval 1", 1))
                .isInstanceOf(HttpRefusal.class);
    }

    @Test
    void aPlaceWithAJob_isThatOfItsItem() {
        assertThat(NeedsRoutes.isBehind("0100 b x 1", "0100 b x 1", 1)).isFalse();
        assertThat(NeedsRoutes.isBehind("0100 b x 1", "0100 c x 1", 2)).isTrue();
    }
}
