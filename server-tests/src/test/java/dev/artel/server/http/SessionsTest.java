package dev.artel.server.http;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.server.RawHttp;
import dev.artel.server.TestNodes;
import java.lang.management.ManagementFactory;
import java.util.regex.Pattern;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;

/// The orchestrator has no sessions of HTTP.
final class SessionsTest {
    private static final int UPGRADES = 50;

    /// Those of tests that run at the same time.
    private static final int OTHERS = 10;

    private static final String UPGRADE =
            """
            GET /ws/worker HTTP/1.1\r
            Host: localhost\r
            Authorization: Bearer worker-token-of-the-tests\r
            Connection: Upgrade\r
            Upgrade: websocket\r
            Sec-WebSocket-Version: 13\r
            Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
            \r
            """;

    /// A frame that asks for the end, with a mask.
    private static final String CLOSE = "\u0088\u0080\0\0\0\0";

    @Test
    void upgradesToWebSockets_leaveNothingBehind() throws Exception {
        try (var node = TestNodes.inMemory()) {
            for (var i = 0; i < UPGRADES; i++) {
                try (var http = new RawHttp(node)) {
                    assertThat(http.send(UPGRADE + CLOSE).hear())
                            .startsWith("HTTP/1.1 101")
                            .doesNotContainIgnoringCase("set-cookie");
                }
            }

            await().untilAsserted(() ->
                    assertThat(living("org.eclipse.jetty.session.ManagedSession"))
                            .isLessThan(OTHERS));
        }
    }

    /// How many objects of a class there are in this process.
    private static int living(String type) throws Exception {
        var histogram =
                (String)
                        ManagementFactory.getPlatformMBeanServer()
                                .invoke(
                                        new ObjectName("com.sun.management:type=DiagnosticCommand"),
                                        "gcClassHistogram",
                                        new Object[] {new String[0]},
                                        new String[] {String[].class.getName()});
        var found =
                Pattern.compile(
                                "(?m)^\\s*\\d+:\\s+(\\d+)\\s+\\d+\\s+"
                                        + Pattern.quote(type)
                                        + "\\b")
                        .matcher(histogram);
        return found.find() ? Integer.parseInt(found.group(1)) : 0;
    }
}
