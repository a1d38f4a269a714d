package dev.artel.server.cards;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.actions.BuiltInActions;
import dev.artel.card.step.ReplanRights;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class OutwardActionsTest {
    /// Trap: an action is added, and cards of foreign text may use it, though it reaches outside.
    @Test
    void ofEachBuiltInAction_itIsKnownWhetherItReachesOutside() {
        var inward = Stream.of("set", "json_query", "llm_generate", "quality_check");

        assertThat(Stream.concat(inward, ReplanRights.OUTWARD.stream()))
                .containsExactlyInAnyOrderElementsOf(BuiltInActions.TYPES);
    }
}
