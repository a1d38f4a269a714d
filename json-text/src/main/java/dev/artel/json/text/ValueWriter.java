package dev.artel.json.text;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.artel.json.JsonArray;
import dev.artel.json.JsonBoolean;
import dev.artel.json.JsonNull;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigDecimal;

/// From values to tokens.
final class ValueWriter {
    private ValueWriter() {}

    static void write(JsonValue value, JsonGenerator to) throws IOException {
        switch (value) {
            case JsonObject object when object.hasLateMembers() -> {
                to.writeStartObject();
                for (var name : object.names()) {
                    to.writeFieldName(whole(name));
                    if (object.late(name).orElse(null) instanceof JsonFragment fragment) {
                        copy(fragment, to);
                    } else {
                        write(object.get(name).orElseThrow(), to);
                    }
                }
                to.writeEndObject();
            }
            case JsonObject object -> {
                to.writeStartObject();
                for (var member : object.members().entrySet()) {
                    to.writeFieldName(whole(member.getKey()));
                    write(member.getValue(), to);
                }
                to.writeEndObject();
            }
            case JsonArray array -> {
                to.writeStartArray();
                for (var element : array.values()) {
                    write(element, to);
                }
                to.writeEndArray();
            }
            case JsonString(var text) -> to.writeString(whole(text));
            case JsonNumber(Long number) -> to.writeNumber(number);
            case JsonNumber(BigDecimal number) -> to.writeNumber(number);
            case JsonNumber(Number number) -> to.writeNumber(number.toString());
            case JsonBoolean literal -> to.writeBoolean(literal.value());
            case JsonNull _ -> to.writeNull();
        }
    }

    /// Straight into what the generator writes to, which has what stands before it by then.
    private static void copy(JsonFragment fragment, JsonGenerator to) throws IOException {
        if (to.getOutputTarget() instanceof OutputStream target) {
            to.writeRawValue("");
            to.flush();
            target.write(inOneLine(fragment.text()));
        } else {
            write(fragment.read(), to);
        }
    }

    /// What is written has no line breaks, on which streams of events and of lines depend; in a text that others wrote they stand between
    /// tokens alone.
    private static byte[] inOneLine(byte[] text) {
        var first = 0;
        while (first < text.length && !isBreak(text[first])) {
            first++;
        }
        if (first == text.length) {
            return text;
        }
        var line = text.clone();
        for (var i = first; i < line.length; i++) {
            if (isBreak(line[i])) {
                line[i] = ' ';
            }
        }
        return line;
    }

    private static boolean isBreak(byte one) {
        return one == '\n' || one == '\r';
    }

    private static String whole(String text) {
        if (!Surrogates.arePaired(text)) {
            throw new IllegalArgumentException(
                    "cannot write JSON: a string of "
                            + text.length()
                            + " characters has half of a surrogate pair");
        }
        return text;
    }
}
