package dev.artel.store.codec;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.task.Payload;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Reads the members of an object in the order in which [JsonOut] writes them, so that nothing is looked up or kept:
/// a constructor call whose arguments are reads, in order, is the whole of a format. A member that may be left out is
/// asked for at its place.
final class JsonIn {
    private final JsonParser from;

    /// The name of the member that comes next, once it was [#looked] at; null at the end of the object.
    private @Nullable String ahead;

    private boolean looked;

    private Consumer<String> references = _ -> {};

    /// What the last slice that was read is kept in.
    private String lastWhole = "";

    JsonIn(JsonParser from) {
        this.from = from;
    }

    /// Reports the digest of each reference that is read from now on to `sink`.
    void reportReferences(Consumer<String> sink) {
        references = sink;
    }

    /// Reports references to the receiver to which `other` reports them.
    void reportReferencesLike(JsonIn other) {
        references = other.references;
    }

    /// Whether another object begins in the array at hand; otherwise the array has ended.
    boolean beginNext() throws IOException {
        var token = from.nextToken();
        if (token == JsonToken.END_ARRAY) {
            return false;
        }
        expect(JsonToken.START_OBJECT, token);
        return true;
    }

    void beginArray() throws IOException {
        expect(JsonToken.START_ARRAY, from.nextToken());
    }

    void begin() throws IOException {
        expect(JsonToken.START_OBJECT, from.nextToken());
    }

    void beginArray(String name) throws IOException {
        expect(JsonToken.START_ARRAY, token(name));
    }

    void begin(String name) throws IOException {
        expect(JsonToken.START_OBJECT, token(name));
    }

    /// Whether the object `name` is there and begins.
    boolean beginIfThere(String name) throws IOException {
        if (!isNext(name)) {
            return false;
        }
        begin(name);
        return true;
    }

    void end() throws IOException {
        var name = nextName();
        if (name != null) {
            throw found("member \"" + name + "\"", "the end of the object");
        }
        looked = false;
    }

    void endOfText() throws IOException {
        if (from.nextToken() != null) {
            throw found("more", "the end of the text");
        }
    }

    /// The name of the next member, which stays to be read; null at the end of the object, which [#end] passes.
    @Nullable String nextName() throws IOException {
        if (!looked) {
            ahead = from.nextFieldName();
            looked = true;
            if (ahead == null && from.currentToken() != JsonToken.END_OBJECT) {
                throw found(from.currentToken(), "a member");
            }
        }
        return ahead;
    }

    String text(String name) throws IOException {
        expect(JsonToken.VALUE_STRING, token(name));
        return from.getText();
    }

    /// The number `name`, or the default where it was left out.
    int integerOr(String name, int defaultValue) throws IOException {
        return isNext(name) ? integer(name) : defaultValue;
    }

    Optional<String> optionalText(String name) throws IOException {
        return isNext(name) ? Optional.of(text(name)) : Optional.empty();
    }

    List<String> texts(String name) throws IOException {
        if (!isNext(name)) {
            return List.of();
        }
        beginArray(name);
        var texts = new ArrayList<String>();
        while (from.nextToken() != JsonToken.END_ARRAY) {
            expect(JsonToken.VALUE_STRING, from.currentToken());
            texts.add(from.getText());
        }
        return texts;
    }

    SequencedMap<String, String> textsByName(String name) throws IOException {
        var texts = new LinkedHashMap<String, String>();
        if (beginIfThere(name)) {
            for (var key = nextName(); key != null; key = nextName()) {
                texts.put(key, text(key));
            }
            end();
        }
        return texts;
    }

    List<Integer> numbers(String name) throws IOException {
        if (!isNext(name)) {
            return List.of();
        }
        beginArray(name);
        var numbers = new ArrayList<Integer>();
        while (from.nextToken() != JsonToken.END_ARRAY) {
            expect(JsonToken.VALUE_NUMBER_INT, from.currentToken());
            numbers.add(from.getIntValue());
        }
        return numbers;
    }

    int integer(String name) throws IOException {
        expect(JsonToken.VALUE_NUMBER_INT, token(name));
        return from.getIntValue();
    }

    long number(String name) throws IOException {
        expect(JsonToken.VALUE_NUMBER_INT, token(name));
        return from.getLongValue();
    }

    double decimal(String name) throws IOException {
        return token(name) == JsonToken.VALUE_STRING
                ? Double.parseDouble(from.getText())
                : from.getDoubleValue();
    }

    JsonValue value(String name) throws IOException {
        token(name);
        return JsonText.read(from);
    }

    JsonObject object(String name) throws IOException {
        token(name);
        if (JsonText.read(from) instanceof JsonObject object) {
            return object;
        }
        throw new IOException(name + " must be an object");
    }

    boolean flag(String name) throws IOException {
        if (!isNext(name)) {
            return false;
        }
        token(name);
        return from.getBooleanValue();
    }

    Instant instant(String name) throws IOException {
        return token(name) == JsonToken.VALUE_STRING
                ? Instant.parse(from.getText())
                : Instant.ofEpochMilli(from.getLongValue());
    }

    Optional<Instant> optionalInstant(String name) throws IOException {
        return isNext(name) ? Optional.of(instant(name)) : Optional.empty();
    }

    Duration duration(String name) throws IOException {
        return token(name) == JsonToken.VALUE_STRING
                ? Duration.parse(from.getText())
                : Duration.ofMillis(from.getLongValue());
    }

    Optional<Duration> optionalDuration(String name) throws IOException {
        return isNext(name) ? Optional.of(duration(name)) : Optional.empty();
    }

    EffectId effect(String name) throws IOException {
        return EffectId.parse(text(name));
    }

    Payload payload(String name) throws IOException {
        if (token(name) == JsonToken.START_ARRAY) {
            from.nextToken();
            var inline = new Payload.Inline(JsonText.read(from));
            expect(JsonToken.END_ARRAY, from.nextToken());
            return inline;
        }
        expect(JsonToken.START_OBJECT, from.currentToken());
        if (isNext("members")) {
            var members = new Payload.Members(payloads("members"));
            end();
            return members;
        }
        if (isNext("from")) {
            return slice();
        }
        var ref = new Payload.Ref(text("digest"), number("bytes"));
        end();
        references.accept(ref.digest());
        return ref;
    }

    private Payload.Slice slice() throws IOException {
        var begin = number("from");
        var whole = text("digest");
        // Many slices of one content share its name in memory.
        if (!whole.equals(lastWhole)) {
            lastWhole = whole;
            references.accept(whole);
        }
        var slice = new Payload.Slice(lastWhole, begin, integer("bytes"), text("sha256"));
        end();
        return slice;
    }

    SequencedMap<String, Payload> payloads(String name) throws IOException {
        var payloads = new LinkedHashMap<String, Payload>();
        if (beginIfThere(name)) {
            for (var key = nextName(); key != null; key = nextName()) {
                payloads.put(key, payload(key));
            }
            end();
        }
        return payloads;
    }

    /// What is left of the object at hand, as a tree.
    JsonObject rest() throws IOException {
        var rest = JsonObject.builder();
        for (var name = nextName(); name != null; name = nextName()) {
            token(name);
            rest.put(name, JsonText.read(from));
        }
        end();
        return rest.build();
    }

    boolean isNext(String name) throws IOException {
        return name.equals(nextName());
    }

    /// What to throw for something that the format does not have.
    IllegalArgumentException found(@Nullable Object what, String expected) {
        var place = from.currentTokenLocation().getByteOffset();
        return new IllegalArgumentException(
                "found " + what + " at byte " + place + ", expected " + expected);
    }

    private JsonToken token(String name) throws IOException {
        var next = nextName();
        if (!name.equals(next)) {
            throw found(
                    next == null ? "the end of the object" : "member \"" + next + "\"",
                    "member \"" + name + "\"");
        }
        looked = false;
        return from.nextToken();
    }

    private void expect(JsonToken expected, @Nullable JsonToken token) {
        if (token != expected) {
            throw found(token, expected.toString());
        }
    }
}
