package dev.artel.worker.server.hub;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.json.text.ValueRoom;
import dev.artel.waits.Await;
import java.util.ArrayList;
import java.util.Collections;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

final class MessageRoomTest {
    private static final JsonObject LARGE =
            JsonObject.of("type", JsonValue.of("work_complete"))
                    .with("data", new JsonArray(Collections.nCopies(40_000, JsonArray.EMPTY)));

    /// A large message takes all of it.
    private final ValueRoom values = new ValueRoom(1 << 20);

    private final HubFixture fixture = new HubFixture(HubOptions.DEFAULTS, values);

    /// Trap: what a handler goes on with elsewhere has no room any more: as many large results as come while the store is slow are in memory.
    @Test
    @Timeout(Await.HUNG)
    void aMessageThatIsHeld_keepsItsRoomUntilItIsDone() throws Exception {
        var holds = new ArrayList<MessageEvent.Hold>();
        fixture.hub.onMessage("work_complete", event -> holds.add(event.hold()));
        var worker = fixture.worker("w", 1);

        worker.sends(LARGE);
        assertThat(fixture.hub.largeMessageCount()).isEqualTo(1);
        var second = Thread.ofVirtual().start(() -> worker.sends(LARGE));
        await("the second message waits").until(values::hasWaiting);
        holds.getFirst().close();
        holds.getFirst().close();
        second.join();

        assertThat(holds).hasSize(2);
        assertThat(fixture.hub.largeMessageCount()).isEqualTo(1);
        holds.getLast().close();
        assertThat(fixture.hub.largeMessageCount()).isZero();
    }

    @Test
    void aMessageThatNobodyHolds_givesItsRoomBack() {
        fixture.hub.onMessage("work_complete", _ -> {});
        var worker = fixture.worker("w", 1);
        for (var i = 0; i < 3; i++) {
            worker.sends(LARGE);
        }

        assertThat(fixture.hub.largeMessageCount()).isZero();
        assertThat(values.hasWaiting()).isFalse();
    }
}
