package dev.artel.store.codec;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.core.util.JsonRecyclerPools;
import dev.artel.json.text.JsonText;
import dev.artel.json.text.MalformedJson;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.store.EventCodec;
import dev.artel.kernel.store.StoreException.StoreCorrupt;
import java.io.IOException;
import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Events as a JSON array of `{"type":"task.opened","v":1,...}`, commands as one such object; UTF-8 without white
/// space. Members are in the order of the record's components; what has its default value is left out. Instants and
/// durations are milliseconds.
public final class JsonEventCodec implements EventCodec {
    /// As deep as a value that [JsonText] writes, and the event around it.
    private static final int MAX_DEPTH = JsonText.MAX_WRITTEN_DEPTH + 20;

    private static final int BUFFERS = 256;
    private static final int INITIAL_BYTES = 512;

    /// So that one append, of which there are three copies for a moment, never uses up the memory.
    private static final int MOST_BYTES =
            (int) Math.min(256 << 20, Math.max(4 << 20, Runtime.getRuntime().maxMemory() / 8));

    private static final JsonFactory JSON =
            JsonFactory.builder()
                    .disable(JsonFactory.Feature.CHARSET_DETECTION)
                    .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
                    .enable(StreamReadFeature.USE_FAST_DOUBLE_PARSER)
                    .enable(StreamWriteFeature.USE_FAST_DOUBLE_WRITER)
                    .recyclerPool(JsonRecyclerPools.newBoundedPool(BUFFERS))
                    .streamReadConstraints(
                            StreamReadConstraints.builder()
                                    .maxNestingDepth(MAX_DEPTH)
                                    .maxNumberLength(Integer.MAX_VALUE)
                                    .maxStringLength(Integer.MAX_VALUE)
                                    .maxNameLength(Integer.MAX_VALUE)
                                    .build())
                    .build();

    private static final Map<String, EventType> EVENTS = byName(EventType.values());
    private static final Map<String, CommandType> COMMANDS = byName(CommandType.values());

    private final Upcasters upcasters;

    /// The codec of this version, which reads all before it.
    public JsonEventCodec() {
        this(Upcasters.ALL);
    }

    JsonEventCodec(Upcasters upcasters) {
        this.upcasters = upcasters;
    }

    /// @throws IllegalArgumentException if an event holds what JSON cannot express, or they are larger than an eighth of the
    ///     memory or 256 MiB
    @Override
    public byte[] encode(List<JobEvent> events) {
        return encode(out -> {
            out.beginArray();
            for (var event : events) {
                EventFormat.write(event, out);
            }
            out.endArray();
        });
    }

    /// @throws IllegalArgumentException if the command holds what JSON cannot express
    @Override
    public byte[] encode(JobCommand command) {
        return encode(out -> CommandFormat.write(command, out));
    }

    @Override
    public byte[] encode(Job fold) {
        return FoldCodec.OF_THIS_PROCESS.encode(fold);
    }

    @Override
    public Optional<Job> decodeFold(byte[] bytes) {
        return FoldCodec.OF_THIS_PROCESS.decode(bytes);
    }

    @Override
    public List<JobEvent> decode(byte[] bytes) {
        return decode("events", bytes, this::readEvents);
    }

    /// The digests of the large values that `events` name. What only looks like a reference, in a value of a user, is none.
    ///
    /// @throws StoreCorrupt if they are none that this version knows
    public Set<String> references(byte[] events) {
        var found = new LinkedHashSet<String>();
        var _ =
                decode(
                        "events",
                        events,
                        in -> {
                            in.reportReferences(found::add);
                            return readEvents(in);
                        });
        return found;
    }

    @Override
    public JobCommand decodeCommand(byte[] bytes) {
        return decode("command", bytes, this::readCommand);
    }

    private List<JobEvent> readEvents(JsonIn in) throws IOException {
        var events = new ArrayList<JobEvent>();
        in.beginArray();
        while (in.beginNext()) {
            events.add(readVersioned(in, EVENTS, EventFormat::read));
        }
        return events;
    }

    private JobCommand readCommand(JsonIn in) throws IOException {
        in.begin();
        return readVersioned(in, COMMANDS, CommandFormat::read);
    }

    private <T extends Versioned, R> R readVersioned(
            JsonIn in, Map<String, T> types, Format<T, R> format) throws IOException {
        var name = in.text("type");
        var version = in.integer("v");
        var type = types.get(name);
        if (type == null) {
            throw new IllegalArgumentException(
                    "found type \"" + name + "\", which this version of Artel does not know");
        }
        if (version > type.version()) {
            throw new IllegalArgumentException(
                    "found version "
                            + version
                            + " of type \""
                            + name
                            + "\", of which this version of Artel knows up to "
                            + type.version());
        }
        return version == type.version()
                ? format.read(type, in)
                : readOld(type, version, in, format);
    }

    private <T extends Versioned, R> R readOld(T type, int version, JsonIn in, Format<T, R> format)
            throws IOException {
        var current = JsonText.write(upcasters.upcast(type, version, in.rest()));
        try (var parser = JSON.createParser(current)) {
            var upcast = new JsonIn(parser);
            upcast.reportReferencesLike(in);
            upcast.begin();
            return format.read(type, upcast);
        }
    }

    private static byte[] encode(Writing writing) {
        var bytes = new BoundedBytes(INITIAL_BYTES, MOST_BYTES);
        try (var generator = JSON.createGenerator(bytes)) {
            writing.write(new JsonOut(generator));
        } catch (IOException e) {
            throw new IllegalArgumentException("cannot write as JSON: " + e.getMessage(), e);
        }
        return bytes.toByteArray();
    }

    private static <R> R decode(String what, byte[] bytes, Reading<R> reading) {
        try (var parser = JSON.createParser(bytes)) {
            var in = new JsonIn(parser);
            var result = reading.read(in);
            in.endOfText();
            return result;
        } catch (JacksonException e) {
            throw corrupt(what, bytes, e.getOriginalMessage(), e);
        } catch (IOException
                | IllegalArgumentException
                | DateTimeException
                | ArithmeticException
                | MalformedJson e) {
            throw corrupt(what, bytes, String.valueOf(e.getMessage()), e);
        }
    }

    private static StoreCorrupt corrupt(String what, byte[] bytes, String found, Exception cause) {
        return new StoreCorrupt(
                "reading "
                        + what
                        + " from "
                        + bytes.length
                        + " bytes: "
                        + found
                        + "; if a newer Artel wrote this store, run that one, else restore a backup",
                cause);
    }

    private static <T extends Versioned> Map<String, T> byName(T[] types) {
        var byName = new LinkedHashMap<String, T>();
        Arrays.stream(types).forEach(type -> byName.put(type.type(), type));
        return byName;
    }

    private interface Writing {
        void write(JsonOut out) throws IOException;
    }

    private interface Reading<R> {
        R read(JsonIn in) throws IOException;
    }

    private interface Format<T extends Versioned, R> {
        R read(T type, JsonIn in) throws IOException;
    }
}
