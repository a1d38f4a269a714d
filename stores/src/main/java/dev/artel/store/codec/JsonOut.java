package dev.artel.store.codec;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.task.Payload;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;

/// Writes the members of an object. Each method is the mirror of the one of [JsonIn] with the same name.
final class JsonOut {
    private final JsonGenerator to;

    JsonOut(JsonGenerator to) {
        this.to = to;
    }

    void beginArray() throws IOException {
        to.writeStartArray();
    }

    void beginArray(String name) throws IOException {
        to.writeArrayFieldStart(name);
    }

    void endArray() throws IOException {
        to.writeEndArray();
    }

    void begin() throws IOException {
        to.writeStartObject();
    }

    void begin(String name) throws IOException {
        to.writeObjectFieldStart(name);
    }

    void end() throws IOException {
        to.writeEndObject();
    }

    /// The beginning of everything that has a version.
    void begin(Versioned what) throws IOException {
        begin();
        text("type", what.type());
        number("v", what.version());
    }

    void text(String name, String value) throws IOException {
        to.writeStringField(name, value);
    }

    void text(String name, Optional<String> value) throws IOException {
        if (value.isPresent()) {
            text(name, value.get());
        }
    }

    /// Nothing for an empty list.
    void texts(String name, List<String> values) throws IOException {
        if (!values.isEmpty()) {
            beginArray(name);
            for (var value : values) {
                to.writeString(value);
            }
            endArray();
        }
    }

    /// Nothing for an empty map.
    void texts(String name, SequencedMap<String, String> values) throws IOException {
        if (!values.isEmpty()) {
            begin(name);
            for (var entry : values.entrySet()) {
                text(entry.getKey(), entry.getValue());
            }
            end();
        }
    }

    /// Nothing for an empty list.
    void numbers(String name, List<Integer> values) throws IOException {
        if (!values.isEmpty()) {
            beginArray(name);
            for (var value : values) {
                to.writeNumber(value);
            }
            endArray();
        }
    }

    void number(String name, long value) throws IOException {
        to.writeNumberField(name, value);
    }

    /// What is infinite or no number is written as a string.
    void decimal(String name, double value) throws IOException {
        to.writeNumberField(name, value);
    }

    /// A [#decimal] without a fraction where it has none.
    void figure(String name, double value) throws IOException {
        if (value == Math.rint(value) && Math.abs(value) < 1e15 && !isMinusZero(value)) {
            to.writeNumberField(name, (long) value);
        } else {
            decimal(name, value);
        }
    }

    private static boolean isMinusZero(double value) {
        return Double.compare(value, -0.0) == 0;
    }

    void value(String name, JsonValue value) throws IOException {
        to.writeFieldName(name);
        JsonText.writeTo(value, to);
    }

    /// Nothing for false.
    void flag(String name, boolean value) throws IOException {
        if (value) {
            to.writeBooleanField(name, true);
        }
    }

    /// Milliseconds since 1970; the ISO form for the rare instant that is finer or too far away.
    void instant(String name, Instant value) throws IOException {
        to.writeFieldName(name);
        if (ExactMillis.isMillis(value)) {
            to.writeNumber(value.toEpochMilli());
        } else {
            to.writeString(value.toString());
        }
    }

    void instant(String name, Optional<Instant> value) throws IOException {
        if (value.isPresent()) {
            instant(name, value.get());
        }
    }

    /// Milliseconds; the ISO form for the rare duration that is finer or too long.
    void duration(String name, Duration value) throws IOException {
        to.writeFieldName(name);
        if (ExactMillis.isMillis(value)) {
            to.writeNumber(value.toMillis());
        } else {
            to.writeString(value.toString());
        }
    }

    void duration(String name, Optional<Duration> value) throws IOException {
        if (value.isPresent()) {
            duration(name, value.get());
        }
    }

    void effect(String name, EffectId value) throws IOException {
        text(name, value.toString());
    }

    /// An inline value stands in an array, so that no value of a user looks like a reference.
    void payload(String name, Payload value) throws IOException {
        to.writeFieldName(name);
        switch (value) {
            case Payload.Inline(var inline) -> {
                to.writeStartArray();
                JsonText.writeTo(inline, to);
                to.writeEndArray();
            }
            case Payload.Ref(var digest, var bytes) -> {
                begin();
                text("digest", digest);
                number("bytes", bytes);
                end();
            }
            case Payload.Slice(var whole, long from, int bytes, var digest) -> {
                begin();
                number("from", from);
                text("digest", whole);
                number("bytes", bytes);
                text("sha256", digest);
                end();
            }
            case Payload.Members(var members) -> {
                begin();
                payloads("members", members);
                end();
            }
        }
    }

    /// Nothing for an empty map.
    void payloads(String name, SequencedMap<String, Payload> values) throws IOException {
        if (!values.isEmpty()) {
            begin(name);
            for (Map.Entry<String, Payload> entry : values.entrySet()) {
                payload(entry.getKey(), entry.getValue());
            }
            end();
        }
    }
}
