package dev.artel.json.text;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.artel.json.JsonValue;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Spliterator;
import java.util.Spliterators.AbstractSpliterator;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/// The elements of an array, from where the parser is to its end.
final class Elements extends AbstractSpliterator<JsonValue> {
    private static final int PIECE = 1 << 13;

    private final JsonParser parser;
    private final InputStream text;
    private boolean ended;

    private Elements(JsonParser parser, InputStream text) {
        super(Long.MAX_VALUE, Spliterator.ORDERED | Spliterator.NONNULL | Spliterator.IMMUTABLE);
        this.parser = parser;
        this.text = text;
    }

    static Stream<JsonValue> of(JsonParser parser, InputStream text) {
        var elements = new Elements(parser, text);
        try {
            var token = ValueReader.reporting(parser, parser::nextToken);
            if (token != JsonToken.START_ARRAY) {
                throw new IllegalStateException(
                        "the value is no array: it begins with " + token + "; read it as a whole");
            }
            return StreamSupport.stream(elements, false).onClose(elements::close);
        } catch (RuntimeException e) {
            elements.close();
            throw e;
        }
    }

    @Override
    public boolean tryAdvance(Consumer<? super JsonValue> action) {
        if (ended) {
            return false;
        }
        if (ValueReader.reporting(parser, parser::nextToken) == JsonToken.END_ARRAY) {
            ended = true;
            ValueReader.reporting(parser, this::toTheEnd);
            return false;
        }
        action.accept(ValueReader.read(parser));
        return true;
    }

    /// What checks the text does so at its end.
    private boolean toTheEnd() throws IOException {
        var found = parser.nextToken();
        if (found != null) {
            throw ValueReader.malformed(
                    parser.currentTokenLocation(), "found more after the end of the value");
        }
        var piece = new byte[PIECE];
        for (var read = text.read(piece); read >= 0; read = text.read(piece)) {
            // the parser has seen the end of it already
        }
        return true;
    }

    private void close() {
        try {
            parser.close();
            text.close();
        } catch (IOException e) {
            throw new UncheckedIOException("closing JSON", e);
        }
    }
}
