package dev.artel.worker.server.hub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import java.util.LinkedHashMap;
import java.util.List;
import org.junit.jupiter.api.Test;

final class WorkerPoolTest {
    private final HubFixture fixture = new HubFixture();
    private final WorkerPool pool = new WorkerPool(ModelMatch.EXACT, 100_000);

    /// Trap: a token for many names registers thousands of them, each with metadata of megabytes in memory.
    @Test
    void whatWorkersDeclare_hasRoomTogether_andNoneIsRefusedThatDeclaresLessThanBefore() {
        var large = declared(60_000);
        assertThat(pool.hasRoom(large, null)).isTrue();
        var one = add("w-1", large);

        assertThat(pool.hasRoom(large, null)).isFalse();
        assertThat(pool.hasRoom(declared(20_000), null)).isTrue();
        assertThat(pool.hasRoom(declared(90_000), one)).isTrue();
        assertThat(pool.hasRoom(declared(110_000), one)).isFalse();

        pool.update(one, "w-1", declared(10));
        assertThat(pool.hasRoom(large, null)).isTrue();
        var other = add("w-2", large);
        assertThat(pool.hasRoom(large, null)).isFalse();
        pool.remove(other);
        assertThat(pool.hasRoom(large, null)).isTrue();
    }

    private PoolEntry add(String id, WorkerCapabilities capabilities) {
        var entry =
                new PoolEntry(
                        id,
                        id,
                        capabilities,
                        "session-of-" + id,
                        new HubConnection(
                                fixture.hub,
                                new FakeConnection("10.0.0.9"),
                                HubOptions.DEFAULTS,
                                HubFixture.START),
                        new PoolEntry.Times(HubFixture.START, HubFixture.START));
        pool.add(entry);
        return entry;
    }

    private static WorkerCapabilities declared(int bytes) {
        var text = JsonValue.of("x".repeat(bytes));
        return new WorkerCapabilities(
                List.of(), 1, new LinkedHashMap<>(), JsonObject.of("x", text));
    }
}
