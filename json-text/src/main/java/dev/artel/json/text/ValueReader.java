package dev.artel.json.text;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import dev.artel.json.JsonArray;
import dev.artel.json.JsonBoolean;
import dev.artel.json.JsonNull;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;

/// From tokens to values.
final class ValueReader {
    /// Longer messages, which quote the text, are cut.
    private static final int MAX_MESSAGE = 200;

    private ValueReader() {}

    /// The value at the current token, or at the first one.
    static JsonValue read(JsonParser parser) {
        return reporting(
                parser,
                () -> {
                    var token = parser.currentToken();
                    return value(parser, token == null ? parser.nextToken() : token);
                });
    }

    /// The only value of a text.
    static JsonValue readOnly(JsonParser parser) {
        return reporting(
                parser,
                () -> {
                    var value = value(parser, parser.nextToken());
                    if (parser.nextToken() != null) {
                        throw malformed(
                                parser.currentTokenLocation(),
                                "found more after the end of the value");
                    }
                    return value;
                });
    }

    /// Goes over the only value of a text.
    ///
    /// @throws IOException if it cannot be read, also if it is not in the encoding that it should be in
    static void skipOnly(JsonParser parser) throws IOException {
        try {
            var token = parser.nextToken();
            if (token == null) {
                throw malformed(
                        parser.currentLocation(), "found the end of the text, expected a value");
            }
            if (token.isStructStart()) {
                parser.skipChildren();
            }
            if (parser.nextToken() != null) {
                throw malformed(
                        parser.currentTokenLocation(), "found more after the end of the value");
            }
        } catch (JsonProcessingException e) {
            throw malformed(
                    e.getLocation() == null ? parser.currentLocation() : e.getLocation(),
                    e.getOriginalMessage());
        }
    }

    private static JsonValue value(JsonParser parser, @Nullable JsonToken token)
            throws IOException {
        return switch (token) {
            case START_OBJECT -> object(parser);
            case START_ARRAY -> array(parser);
            case VALUE_STRING -> new JsonString(wholeCharacters(parser, parser.getText()));
            case VALUE_NUMBER_INT -> integer(parser);
            case VALUE_NUMBER_FLOAT -> decimal(parser);
            case VALUE_TRUE -> JsonBoolean.TRUE;
            case VALUE_FALSE -> JsonBoolean.FALSE;
            case VALUE_NULL -> JsonNull.NULL;
            case null ->
                    throw malformed(
                            parser.currentLocation(),
                            "found the end of the text, expected a value");
            case NOT_AVAILABLE, END_OBJECT, END_ARRAY, FIELD_NAME, VALUE_EMBEDDED_OBJECT ->
                    throw malformed(
                            parser.currentTokenLocation(), "found " + token + ", expected a value");
        };
    }

    private static JsonValue object(JsonParser parser) throws IOException {
        var object = JsonObject.builder();
        for (var name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
            wholeCharacters(parser, name);
            var place = parser.currentTokenLocation();
            if (!object.putNew(name, value(parser, parser.nextToken()))) {
                throw malformed(place, "found the member \"" + name + "\" twice in one object");
            }
        }
        return object.build();
    }

    private static JsonValue array(JsonParser parser) throws IOException {
        var values = new ArrayList<JsonValue>();
        for (var token = parser.nextToken();
                token != JsonToken.END_ARRAY;
                token = parser.nextToken()) {
            values.add(value(parser, token));
        }
        return new JsonArray(values);
    }

    private static JsonValue integer(JsonParser parser) throws IOException {
        return switch (parser.getNumberType()) {
            case INT, LONG -> JsonNumber.of(parser.getLongValue());
            case BIG_INTEGER, FLOAT, DOUBLE, BIG_DECIMAL -> decimal(parser);
        };
    }

    private static JsonValue decimal(JsonParser parser) throws IOException {
        try {
            return new JsonNumber(parser.getDecimalValue());
        } catch (NumberFormatException e) {
            // RFC 8259 lets an exponent be of any size; a decimal's has 32 bits.
            var refusal =
                    malformed(
                            parser.currentTokenLocation(),
                            "found a number out of range, or with more than "
                                    + JsonNumber.MOST_DIGITS
                                    + " digits");
            refusal.initCause(e);
            throw refusal;
        }
    }

    /// Half of a surrogate pair, which an escape can make, is no character: it could not be written again.
    private static String wholeCharacters(JsonParser parser, String text) {
        if (!Surrogates.arePaired(text)) {
            throw malformed(
                    parser.currentTokenLocation(), "found half of a surrogate pair in a string");
        }
        return text;
    }

    /// What `reading` gives, with its failures in the words of this package.
    static <T extends @Nullable Object> T reporting(JsonParser parser, Reading<T> reading) {
        try {
            return reading.read();
        } catch (JsonProcessingException e) {
            var place = e.getLocation();
            throw malformed(place == null ? parser.currentLocation() : place, found(e));
        } catch (IOException e) {
            throw new UncheckedIOException("reading JSON", e);
        }
    }

    /// The parser's own words are for programmers, and may quote half of the text.
    private static String found(JsonProcessingException refusal) {
        return switch (refusal) {
            case JsonEOFException _ -> "the text ends in the middle of a value";
            case StreamConstraintsException _ ->
                    "a value is nested deeper than "
                            + JsonText.MAX_DEPTH
                            + ", or a number is longer than "
                            + JsonText.MAX_NUMBER_LENGTH
                            + " characters";
            default -> "found what is no JSON";
        };
    }

    static MalformedJson malformed(JsonLocation place, String found) {
        var message =
                found.length() > MAX_MESSAGE ? found.substring(0, MAX_MESSAGE) + "..." : found;
        return new MalformedJson(place.getLineNr(), place.getColumnNr(), message);
    }

    interface Reading<T extends @Nullable Object> {
        T read() throws IOException;
    }
}
