package dev.artel.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Answers that begin and do not go on.
@Timeout(180)
final class WholeAnswersTest {
    /// Of answers that fall silent; the others come sooner, also from a machine that has much else to do.
    private static final Duration SHORT = Duration.ofSeconds(2);

    private static final Duration LONG = Duration.ofMinutes(3);
    private static final ClientRetryPolicy RETRIES =
            new ClientRetryPolicy(
                    Duration.ofMinutes(1), Duration.ofMillis(5), Duration.ofMillis(20));

    private ScriptedServer ingress;

    @BeforeEach
    void open() throws IOException {
        ingress = new ScriptedServer();
    }

    @AfterEach
    void close() {
        ingress.close();
    }

    private HttpTransport transport(Duration silence, Duration longest) {
        return new HttpTransport(
                ingress.uri(),
                "secret",
                RETRIES,
                null,
                new HttpTransport.Timeouts(LONG, silence, longest));
    }

    /// Trap: the timeout of a request of Java ends with the head of the answer.
    @Test
    void anAnswerThatFallsSilent_isNoAnswer() {
        ingress.fallsSilentAfter("{");
        try (var transport = transport(SHORT, LONG)) {
            assertThatThrownBy(() -> transport.once("GET", "/x", null))
                    .isInstanceOf(ClientException.Unreachable.class)
                    .hasMessageContaining("in time");
        }
    }

    @Test
    void anAnswerThatTakesLongerThanAny_isNoAnswer() {
        ingress.fallsSilentAfter("{");
        try (var transport = transport(LONG, SHORT)) {
            assertThatThrownBy(() -> transport.once("GET", "/x", null))
                    .isInstanceOf(ClientException.Unreachable.class)
                    .hasMessageContaining("in time");
        }
    }

    @Test
    void aRequestWhoseAnswerFallsSilent_isSentAgain() {
        // A whole one may count as silent as well, where the machine stands still.
        ingress.fallsSilentAfter("{")
                .replies(200, "{\"a\":1}")
                .replies(200, "{\"a\":1}")
                .replies(200, "{\"a\":1}");
        try (var transport = transport(SHORT, LONG)) {
            assertThat(transport.done("asking", "GET", "/x", null).text()).isEqualTo("{\"a\":1}");
        }
    }

    @Test
    void aStreamThatFallsSilent_isOpenedAgain() {
        var event =
                "id: 10%1$d\ndata: {\"job_id\":\"j\",\"type\":\"t\",\"version\":%1$d,\"at\":\"2026-01-01T00:00:00Z\"}\n\n";
        ingress.fallsSilentAfter(event.formatted(1))
                .replies(200, event.formatted(2), "Content-Type", "text/event-stream")
                .replies(204, "");
        var versions = new ArrayList<Long>();
        try (var transport = transport(SHORT, LONG);
                var events = new JobEvents(transport, "/events", "following", true)) {
            for (var each : events) {
                versions.add(each.version());
            }
        }

        assertThat(versions).isEqualTo(List.of(1L, 2L));
        assertThat(ingress.asked())
                .extracting(ScriptedServer.Asked::lastEventId)
                .containsExactly("", "101", "102");
    }

    private static SseParser parser(String text, long most) {
        return new SseParser(new ByteArrayInputStream(text.getBytes(UTF_8)), LONG, most);
    }

    @Test
    void linesEnd_asTheStandardHasIt() throws IOException {
        try (var parser =
                parser(
                        "id: 1\r\ndata: \u00fc\r\n\r\ndata: b\rdata:c\r\rid: 2\ndata: d\n\ndata: e",
                        100)) {
            assertThat(parser.next()).contains(new SseParser.Message("1", "\u00fc"));
            assertThat(parser.next()).contains(new SseParser.Message(null, "b\nc"));
            assertThat(parser.next()).contains(new SseParser.Message("2", "d"));
            assertThat(parser.next()).isEmpty();
        }
    }

    /// Trap: a line never ends, and all of it is kept.
    @Test
    void anEventThatIsTooLarge_isNotReadOn() {
        for (var text :
                List.of("x".repeat(101), "data: ".repeat(17), "data: 12345678901\n".repeat(10))) {
            try (var parser = parser(text, 100)) {
                assertThatThrownBy(parser::next)
                        .isInstanceOf(IOException.class)
                        .hasMessage("an event has more than 100 bytes");
            }
        }
    }
}
