package dev.artel.json.text;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.SequencedMap;

/// Where a value stands in a text: from its first byte on, to before the byte `to`. White space and a comma may follow
/// the value within it.
///
/// @param from counted from 0
public record Span(long from, long to) {
    /// Those of the members of the object at which `parser` begins.
    static Optional<SequencedMap<String, Span>> ofMembers(JsonParser parser) {
        return ValueReader.reporting(
                parser,
                () ->
                        parser.nextToken() == JsonToken.START_OBJECT
                                ? Optional.of(members(parser))
                                : Optional.empty());
    }

    private static SequencedMap<String, Span> members(JsonParser parser) throws IOException {
        var spans = new LinkedHashMap<String, Span>();
        var token = parser.nextToken();
        while (token == JsonToken.FIELD_NAME) {
            var name = parser.currentName();
            var place = parser.currentTokenLocation();
            parser.nextToken();
            var from = parser.currentTokenLocation().getByteOffset();
            parser.skipChildren();
            token = parser.nextToken();
            var to = parser.currentTokenLocation().getByteOffset();
            if (spans.putIfAbsent(name, new Span(from, to)) != null) {
                throw ValueReader.malformed(
                        place, "found the member \"" + name + "\" twice in one object");
            }
        }
        return spans;
    }
}
