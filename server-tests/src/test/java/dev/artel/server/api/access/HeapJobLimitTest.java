package dev.artel.server.api.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.artel.access.AccessControl;
import dev.artel.access.Caller;
import dev.artel.access.Role;
import dev.artel.config.AccessSettings;
import dev.artel.config.Secret;
import dev.artel.gateway.http.HttpRefusal;
import dev.artel.json.JsonObject;
import dev.artel.kernel.store.EventStore;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

/// The limit of clients whose table states none.
final class HeapJobLimitTest {
    private static final long HEAP = 10 * 2_048;

    /// Client to how many of its jobs are open in the store.
    private final Map<String, Long> open = new ConcurrentHashMap<>();

    private long now;
    private final OpenJobLimit limit =
            new OpenJobLimit(
                    new AccessControl(
                            AccessSettings.DEFAULTS,
                            Optional.empty(),
                            new Secret("client-token-of-the-tests"),
                            new Secret("worker-token-of-the-tests"),
                            "the settings",
                            InstantSource.system()),
                    store(),
                    () -> now,
                    HEAP);

    private EventStore store() {
        return (EventStore)
                Proxy.newProxyInstance(
                        EventStore.class.getClassLoader(),
                        new Class<?>[] {EventStore.class},
                        (_, method, arguments) -> {
                            if (!method.getName().equals("countOpen")) {
                                throw new UnsupportedOperationException(method.getName());
                            }
                            return open.getOrDefault((String) arguments[0], 0L);
                        });
    }

    private static Caller client(String name) {
        return new Caller(name, Role.CLIENT, List.of(), "unknown", JsonObject.EMPTY, 1);
    }

    private void submit(String client) {
        limit.take(client(client)).end(true);
    }

    /// Trap: a million waiting jobs of one client fill the heap with their names, and all others are refused.
    @Test
    void aClientWithoutALimit_mayHaveAsManyJobsAsTheHeapHasRoomFor() {
        for (var job = 0; job < 10; job++) {
            submit("eve");
        }
        open.put("eve", 10L);

        assertThatThrownBy(() -> submit("eve"))
                .isInstanceOfSatisfying(
                        HttpRefusal.class,
                        refusal ->
                                assertThat(refusal.reason().string("detail").orElseThrow())
                                        .contains("client eve may have 10 open jobs", "-Xmx"));
        assertThatCode(() -> submit("bob")).doesNotThrowAnyException();

        open.put("eve", 9L);
        now += Duration.ofSeconds(1).toNanos();

        assertThatCode(() -> submit("eve")).doesNotThrowAnyException();
    }

    @Test
    void whatIsOpenFromBeforeAStart_counts() {
        open.put("eve", 10L);

        assertThatThrownBy(() -> submit("eve")).isInstanceOf(HttpRefusal.class);
    }
}
