package dev.artel.json.text;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.JsonRecyclerPools;
import com.fasterxml.jackson.core.util.Separators;
import dev.artel.json.JsonValue;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.stream.Stream;

/// JSON values as text (RFC 8259), read strictly: one value and nothing after it, valid UTF-8 without a byte order
/// mark, whole characters only, each member once, and bounded in depth and in the length of numbers. What
/// [#write] writes, [#readWritten] reads back equal.
///
/// Safe for use by many threads.
public final class JsonText {
    /// How deeply a value that comes from outside may be nested.
    public static final int MAX_DEPTH = 100;

    /// How deeply a value may be nested that is written; above [#MAX_DEPTH], since it may wrap what came from outside.
    public static final int MAX_WRITTEN_DEPTH = 1000;

    /// How many characters a number may have.
    public static final int MAX_NUMBER_LENGTH = 1000;

    /// How many buffers wait for their next use.
    private static final int BUFFERS = 256;

    private static final JsonFactory OUTSIDE = factory(MAX_DEPTH, MAX_NUMBER_LENGTH);
    private static final JsonFactory OWN = factory(MAX_WRITTEN_DEPTH, Integer.MAX_VALUE);

    private JsonText() {}

    /// The value of a text that comes from outside, at most [#MAX_DEPTH] deep.
    ///
    /// @throws MalformedJson if `text` is not exactly one JSON value in UTF-8
    public static JsonValue read(byte[] text) {
        return readOne(OUTSIDE, text);
    }

    /// The value of a text that comes from outside, at most [#MAX_DEPTH] deep.
    ///
    /// @throws MalformedJson if `text` is not exactly one JSON value
    public static JsonValue read(String text) {
        try (var parser = OUTSIDE.createParser(text)) {
            return ValueReader.readOnly(parser);
        } catch (IOException e) {
            throw new UncheckedIOException("closing a parser of a text in memory", e);
        }
    }

    /// The value of a text that [#write] wrote, at most [#MAX_WRITTEN_DEPTH] deep.
    ///
    /// @throws MalformedJson if `text` is not exactly one JSON value in UTF-8
    public static JsonValue readWritten(byte[] text) {
        return JsonThreads.compute(text.length, () -> readOne(OWN, text));
    }

    /// The value that begins at the current token of `parser`, or at its first one. Afterwards the parser stands on
    /// the value's last token.
    ///
    /// @throws MalformedJson if there is no value
    /// @throws UncheckedIOException if the parser's source fails
    public static JsonValue read(JsonParser parser) {
        return ValueReader.read(parser);
    }

    /// A parser with the same limits as [#read(byte[])], for those who read a large text piece by piece. That no member
    /// is given twice holds only within values read by [#read(JsonParser)].
    ///
    /// @throws MalformedJson if `text` is not UTF-8
    public static JsonParser parser(byte[] text) {
        return parser(OUTSIDE, text);
    }

    /// Reads a text that comes from outside piece by piece and closes it, without keeping any of it but the names of the
    /// objects that are open. Strings are not looked into beyond their encoding.
    ///
    /// @throws MalformedJson if `text` is not exactly one JSON value in UTF-8, at most [#MAX_DEPTH] deep
    /// @throws UncheckedIOException if it cannot be read
    public static void check(InputStream text) {
        var decoder =
                StandardCharsets.UTF_8
                        .newDecoder()
                        .onMalformedInput(CodingErrorAction.REPORT)
                        .onUnmappableCharacter(CodingErrorAction.REPORT);
        try (var reader = new InputStreamReader(text, decoder);
                var parser = OUTSIDE.createParser(reader)) {
            parser.enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION);
            ValueReader.skipOnly(parser);
        } catch (CharacterCodingException notUtf8) {
            throw new MalformedJson(1, 1, "found bytes that are not UTF-8");
        } catch (IOException e) {
            throw new UncheckedIOException("reading JSON", e);
        }
    }

    /// The elements of an array that [#write] wrote, one by one; only the one at hand is in memory. The text is read to
    /// its end and closed with the stream.
    ///
    /// @throws IllegalStateException if the text has no array
    /// @throws MalformedJson if it is not one JSON value, perhaps only when an element is asked for
    /// @throws UncheckedIOException if it cannot be read
    public static Stream<JsonValue> elements(InputStream text) {
        try {
            return Elements.of(
                    OWN.createParser(text).disable(JsonParser.Feature.AUTO_CLOSE_SOURCE), text);
        } catch (IOException e) {
            throw new UncheckedIOException("reading JSON", e);
        }
    }

    /// Where the values of the members of an object stand in its text, in order; empty if the text has no object. None of
    /// the values is kept in memory. Closes the text.
    ///
    /// @throws MalformedJson if it is not one JSON value, or names a member twice
    /// @throws UncheckedIOException if it cannot be read
    public static Optional<SequencedMap<String, Span>> spans(InputStream text) {
        try (var parser = OWN.createParser(text)) {
            return Span.ofMembers(parser);
        } catch (IOException e) {
            throw new UncheckedIOException("reading JSON", e);
        }
    }

    /// `value` as UTF-8 text without white space; what is large is written by [JsonThreads]. A [JsonFragment] in it is
    /// written as it is.
    ///
    /// @throws IllegalArgumentException if `value` is nested deeper than [#MAX_WRITTEN_DEPTH] or a string in it has
    ///     half of a surrogate pair
    public static byte[] write(JsonValue value) {
        return JsonThreads.compute(value, () -> writeHere(value));
    }

    private static byte[] writeHere(JsonValue value) {
        var text = new WholeText();
        try (var generator = generator(text)) {
            writeTo(value, generator);
        } catch (IOException e) {
            throw new UncheckedIOException("closing a generator of a text in memory", e);
        }
        return text.whole();
    }

    /// The length of what [#write] gives, which is not kept.
    ///
    /// @throws IllegalArgumentException as [#write]
    public static long length(JsonValue value) {
        return JsonThreads.compute(value, () -> lengthHere(value));
    }

    private static long lengthHere(JsonValue value) {
        var counting = new Counting();
        try (var generator = generator(counting)) {
            writeTo(value, generator);
        } catch (IOException e) {
            throw new UncheckedIOException("counting the bytes of a value", e);
        }
        return counting.count;
    }

    private static final class Counting extends OutputStream {
        private long count;

        @Override
        public void write(int piece) {
            count++;
        }

        @Override
        public void write(byte[] piece, int offset, int length) {
            count += length;
        }
    }

    /// `value` as text for people, with line ends and indents of two spaces.
    ///
    /// @throws IllegalArgumentException as [#write]
    public static String pretty(JsonValue value) {
        var text = new ByteArrayOutputStream(512);
        try (var generator = generator(text)) {
            generator.setPrettyPrinter(
                    new DefaultPrettyPrinter(
                                    Separators.createDefaultInstance()
                                            .withObjectFieldValueSpacing(Separators.Spacing.AFTER))
                            .withArrayIndenter(DefaultIndenter.SYSTEM_LINEFEED_INSTANCE));
            writeTo(value, generator);
        } catch (IOException e) {
            throw new UncheckedIOException("closing a generator of a text in memory", e);
        }
        return text.toString(StandardCharsets.UTF_8);
    }

    /// Writes `value` at the place where `generator` is.
    ///
    /// @throws IllegalArgumentException if `value` is nested deeper than the generator allows or a string in it has
    ///     half of a surrogate pair
    /// @throws UncheckedIOException if the generator's target fails
    public static void writeTo(JsonValue value, JsonGenerator generator) {
        try {
            ValueWriter.write(value, generator);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("cannot write JSON: " + e.getOriginalMessage(), e);
        } catch (IOException e) {
            throw new UncheckedIOException("writing JSON", e);
        }
    }

    /// A generator of UTF-8 text for `target`, which it closes, for those who write a large text piece by piece.
    ///
    /// @throws UncheckedIOException if `target` fails
    public static JsonGenerator generator(OutputStream target) {
        try {
            return OWN.createGenerator(target);
        } catch (IOException e) {
            throw new UncheckedIOException("writing JSON", e);
        }
    }

    private static JsonValue readOne(JsonFactory factory, byte[] text) {
        try (var parser = parser(factory, text)) {
            return ValueReader.readOnly(parser);
        } catch (IOException e) {
            throw new UncheckedIOException("closing a parser of a text in memory", e);
        }
    }

    private static JsonParser parser(JsonFactory factory, byte[] text) {
        Utf8.check(text);
        try {
            return factory.createParser(text);
        } catch (IOException e) {
            throw new UncheckedIOException("opening a parser of a text in memory", e);
        }
    }

    private static JsonFactory factory(int depth, int longestNumber) {
        return JsonFactory.builder()
                .disable(JsonFactory.Feature.CHARSET_DETECTION)
                // Names come from outside: interning them would fill the JVM's table.
                .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
                // Buffers kept by thread are of no use to virtual threads, which live for one
                // message.
                .enable(JsonWriteFeature.COMBINE_UNICODE_SURROGATES_IN_UTF8)
                .recyclerPool(JsonRecyclerPools.newBoundedPool(BUFFERS))
                .streamReadConstraints(
                        StreamReadConstraints.builder()
                                .maxNestingDepth(depth)
                                .maxNumberLength(longestNumber)
                                .maxStringLength(Integer.MAX_VALUE)
                                .maxNameLength(Integer.MAX_VALUE)
                                .build())
                .build();
    }
}
