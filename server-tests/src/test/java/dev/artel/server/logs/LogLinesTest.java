package dev.artel.server.logs;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import dev.artel.json.JsonObject;
import dev.artel.json.text.JsonText;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import org.slf4j.event.KeyValuePair;

/// What a line of the log contains, and that no text of a client can begin one.
final class LogLinesTest {
    private static final Instant AT = Instant.parse("2026-01-02T03:04:05.006Z");
    private static final String EVIL =
            "w1\"\n2026-01-02T03:04:06.000Z ERROR Access - all tokens leaked \u001b[2J\u2028\u202e";

    @Test
    void aLineOfText_hasDateTimeAndZone() {
        var event = event("worker is gone");
        event.addKeyValuePair(new KeyValuePair("worker", "w1"));

        assertThat(new LogLayout(ZoneOffset.ofHoursMinutes(5, 30)).doLayout(event))
                .isEqualTo(
                        "2026-01-02T08:34:05.006+05:30 WARN  FleetRegistry - worker is gone worker=\"w1\"\n");
        assertThat(new LogLayout(ZoneOffset.UTC).doLayout(event))
                .startsWith("2026-01-02T03:04:05.006Z WARN  ");
    }

    @Test
    void aValueOfOthers_cannotBeginALineOfText() {
        var event = event("refused " + EVIL);
        event.addKeyValuePair(new KeyValuePair("worker", EVIL));
        event.setThrowableProxy(
                new ch.qos.logback.classic.spi.ThrowableProxy(
                        new IllegalStateException(EVIL, new IllegalArgumentException(EVIL))));

        var text = new LogLayout(ZoneOffset.UTC).doLayout(event);

        assertThat(text.lines().skip(1)).isNotEmpty().allMatch(line -> line.startsWith("\t"));
        assertThat(text)
                .contains("worker=\"w1\\\"\\n2026")
                .contains("\\u001b[2J\\u2028\\u202e")
                .doesNotContain("\u001b", "\u2028", "\u202e")
                .contains("\tcaused by java.lang.IllegalArgumentException: w1\"\\n2026");
    }

    @Test
    void aLineOfJson_isOneObject_withAllThatWasLogged() throws Exception {
        var event = event("refused " + EVIL);
        event.addKeyValuePair(new KeyValuePair("worker", EVIL));
        event.addKeyValuePair(new KeyValuePair("tasks", 3L));
        event.addKeyValuePair(new KeyValuePair("tried", true));
        event.setThrowableProxy(
                new ch.qos.logback.classic.spi.ThrowableProxy(
                        new IllegalStateException("no", new IllegalArgumentException(EVIL))));

        var text = new JsonLayout(ZoneId.of("Europe/Berlin")).doLayout(event);

        assertThat(text).endsWith("}\n").hasLineCount(1);
        var line = (JsonObject) JsonText.read(text.getBytes(StandardCharsets.UTF_8));
        assertThat(line.string("timestamp")).contains("2026-01-02T04:04:05.006+01:00");
        assertThat(line.string("level")).contains("WARN");
        assertThat(line.string("logger")).contains("dev.artel.engine.shell.FleetRegistry");
        assertThat(line.string("thread")).contains("a thread");
        assertThat(line.string("message")).contains("refused " + EVIL);
        assertThat(line.get("fields"))
                .contains(
                        JsonObject.builder()
                                .put("worker", EVIL)
                                .put("tasks", 3)
                                .put("tried", true)
                                .build());
        var exception = (JsonObject) line.get("exception").orElseThrow();
        assertThat(exception.string("class")).contains("java.lang.IllegalStateException");
        assertThat(exception.string("message")).contains("no");
        assertThat(exception.string("stack").orElseThrow())
                .contains("Caused by: java.lang.IllegalArgumentException")
                .contains(LogLinesTest.class.getName());
    }

    private static LoggingEvent event(String message) {
        var context = new LoggerContext();
        var event = new LoggingEvent();
        event.setLoggerContext(context);
        event.setLoggerName("dev.artel.engine.shell.FleetRegistry");
        event.setLevel(Level.WARN);
        event.setThreadName("a thread");
        event.setMessage(message);
        event.setInstant(AT);
        return event;
    }
}
