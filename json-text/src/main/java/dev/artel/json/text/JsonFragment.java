package dev.artel.json.text;

import dev.artel.json.JsonValue;
import dev.artel.json.LateValue;
import java.io.ByteArrayInputStream;
import java.util.stream.Stream;

/// A value of which only the text is in memory. As a member of an object that is written it is copied there as it is, so that no value is made
/// of it, which would take up to thirty times as much memory, and time to read and to write. Safe for use by many threads.
public final class JsonFragment implements LateValue {
    private final byte[] text;

    /// @param text one JSON value in UTF-8, as was checked before; not copied, and left alone from now on
    public JsonFragment(byte[] text) {
        this.text = text;
    }

    byte[] text() {
        return text;
    }

    /// @throws MalformedJson if the text is not exactly one JSON value
    @Override
    public JsonValue read() {
        return JsonText.readWritten(text);
    }

    @Override
    public Stream<JsonValue> elements() {
        return JsonText.elements(new ByteArrayInputStream(text));
    }

    @Override
    public long bytes() {
        return text.length;
    }
}
