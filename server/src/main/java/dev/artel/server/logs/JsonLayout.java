package dev.artel.server.logs;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.LayoutBase;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.KeyValuePair;

/// An event as a line for programs: an object with `timestamp`, `level`, `logger`, `thread`, `message`, and where there are
/// some, `trace_id`, `fields` and `exception` with its whole stack trace.
final class JsonLayout extends LayoutBase<ILoggingEvent> {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSXXX", Locale.ROOT);

    private final ZoneId zone;

    JsonLayout(ZoneId zone) {
        this.zone = zone;
    }

    @Override
    public String doLayout(ILoggingEvent event) {
        var line =
                JsonObject.builder()
                        .put("timestamp", TIME.format(event.getInstant().atZone(zone)))
                        .put("level", event.getLevel().toString())
                        .put("logger", event.getLoggerName())
                        .put("thread", event.getThreadName())
                        .put("message", String.valueOf(event.getFormattedMessage()));
        var pairs = event.getKeyValuePairs();
        LoggedTraces.of(getContext(), pairs).ifPresent(trace -> line.put(LoggedTraces.NAME, trace));
        if (pairs != null && !pairs.isEmpty()) {
            line.put("fields", fields(pairs));
        }
        var thrown = event.getThrowableProxy();
        if (thrown != null) {
            line.put("exception", exception(thrown));
        }
        return new String(JsonText.write(line.build()), StandardCharsets.UTF_8) + "\n";
    }

    private static JsonObject fields(List<KeyValuePair> pairs) {
        var fields = JsonObject.builder();
        pairs.forEach(pair -> fields.put(pair.key, value(pair.value)));
        return fields.build();
    }

    private static JsonValue value(@Nullable Object value) {
        return switch (value) {
            case Integer number -> JsonValue.of(number.longValue());
            case Long number -> JsonValue.of(number.longValue());
            case Boolean is -> JsonValue.of(is.booleanValue());
            case null, default -> JsonValue.of(String.valueOf(value));
        };
    }

    private static JsonObject exception(IThrowableProxy thrown) {
        return JsonObject.builder()
                .put("class", thrown.getClassName())
                .put("message", String.valueOf(thrown.getMessage()))
                .put("stack", ThrowableProxyUtil.asString(thrown))
                .build();
    }
}
