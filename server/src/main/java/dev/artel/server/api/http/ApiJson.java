package dev.artel.server.api.http;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonNull;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonFragment;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.store.PayloadStore;
import dev.artel.kernel.task.JobData;
import dev.artel.kernel.task.Payload;
import dev.artel.kernel.task.TaskError;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.SequencedMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/// Writes the kernel's values as JSON.
public final class ApiJson {
    /// Instants from here on are not taken.
    public static final Instant LATEST = Instant.parse("9999-01-01T00:00:00Z");

    /// Values of up to so many bytes stand in the document of a job or a task; larger ones have an address.
    public static final long LARGEST = 1 << 20;

    /// Values of up to so many bytes stand in an event.
    public static final long LARGEST_OF_EVENT = Payload.INLINE_LIMIT;

    /// How many bytes of values that are kept apart stand in one answer; what comes after them has an address.
    static final long IN_ONE_ANSWER = 4 << 20;

    private static final long COPIES = 4;

    /// Writes `{}` for whatever belongs to the users.
    public static final ApiJson NONE =
            new ApiJson(_ -> JsonObject.EMPTY, (json, name, _) -> json.put(name, JsonObject.EMPTY));

    private final UnaryOperator<JsonValue> inline;
    private final Apart apart;

    /// Puts what stands in a document for a value that is kept apart.
    private interface Apart {
        JsonObject.Builder put(JsonObject.Builder json, String name, Payload kept);
    }

    /// All values as they are. Of those that are kept apart the documents have the texts alone.
    public ApiJson(PayloadStore payloads) {
        this(
                value -> value,
                (json, name, kept) -> json.put(name, new JsonFragment(payloads.text(kept))));
    }

    private ApiJson(UnaryOperator<JsonValue> inline, Apart apart) {
        this.inline = inline;
        this.apart = apart;
    }

    /// Leaves out the values that are kept apart, and reports each to `sink`.
    public static ApiJson seeing(Consumer<Payload.Ref> sink) {
        return new ApiJson(
                _ -> JsonNull.NULL,
                (json, name, kept) -> {
                    if (kept instanceof Payload.Ref ref) {
                        sink.accept(ref);
                    }
                    return json.put(name, JsonNull.NULL);
                });
    }

    /// The same values in one answer about `job`: those above `largest` bytes, and what is more than fits into an answer,
    /// appear as `{"large_value":{...}}` with their address.
    public ApiJson ofJob(JobId job, long largest) {
        var left = new AtomicLong(IN_ONE_ANSWER);
        return new ApiJson(
                inline,
                (json, name, kept) ->
                        kept instanceof Payload.Ref ref
                                        && (ref.bytes() > largest
                                                || left.addAndGet(-ref.bytes()) < 0)
                                ? json.put(name, address(job, ref))
                                : apart.put(json, name, kept));
    }

    /// About how much memory the texts of `values` take in one answer while it is written: they are there as they were read, and in
    /// the text of the answer, which grows by doubling and is copied once.
    public static long weight(Stream<Payload> values) {
        return COPIES * Math.min(IN_ONE_ANSWER, values.mapToLong(Payload::bytesApart).sum());
    }

    private static JsonObject address(JobId job, Payload.Ref ref) {
        return JsonObject.of(
                "large_value",
                JsonObject.builder()
                        .put("sha256", ref.digest())
                        .put("bytes", ref.bytes())
                        .put("href", "/api/v1/jobs/" + job + "/values/" + ref.digest())
                        .build());
    }

    /// Adds the value of a payload under `name`, or its address where it is too large for the answer.
    public JsonObject.Builder put(JsonObject.Builder json, String name, Payload payload) {
        return switch (payload) {
            case Payload.Inline(var value) -> json.put(name, inline.apply(value));
            case Payload.Ref ref -> apart.put(json, name, ref);
            case Payload.Slice slice -> apart.put(json, name, slice);
            case Payload.Members(var members) -> json.put(name, of(new JobData(members)));
        };
    }

    /// The values of a job's data under their names.
    public JsonObject of(JobData data) {
        var object = JsonObject.builder();
        data.values().forEach((name, payload) -> put(object, name, payload));
        return object.build();
    }

    /// An instant as ISO 8601 writes it, in UTC.
    public static JsonString of(Instant instant) {
        return new JsonString(instant.toString());
    }

    /// A constant by its name in lower case.
    public static JsonString word(Enum<?> constant) {
        return new JsonString(constant.name().toLowerCase(Locale.ROOT));
    }

    /// An error of a task: its class, code and message.
    public static JsonObject of(TaskError error) {
        return JsonObject.builder()
                .put("class", word(error.kind()))
                .put("code", error.code())
                .put("message", error.message())
                .build();
    }

    /// Texts under their names, in their order.
    public static JsonObject of(SequencedMap<String, String> texts) {
        var object = JsonObject.builder();
        texts.forEach(object::put);
        return object.build();
    }

    /// The ids of workers, in their order.
    public static JsonArray workers(List<WorkerId> workers) {
        return texts(workers.stream().map(WorkerId::value).toList());
    }

    /// Texts, in their order.
    public static JsonArray texts(List<String> texts) {
        return JsonArray.ofStrings(texts);
    }
}
