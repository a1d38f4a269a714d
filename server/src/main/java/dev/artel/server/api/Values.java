package dev.artel.server.api;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.kernel.delivery.WorkerId;
import dev.artel.kernel.store.PayloadStore;
import dev.artel.kernel.task.JobData;
import dev.artel.kernel.task.Payload;
import dev.artel.kernel.task.TaskError;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.SequencedMap;
import java.util.function.Function;

/// Says the kernel's values in JSON.
final class Values {
    /// Instants from here on are not taken.
    static final Instant LATEST = Instant.parse("9999-01-01T00:00:00Z");

    /// Says `{}` for whatever belongs to the users.
    static final Values NONE = new Values(_ -> JsonObject.EMPTY);

    private final Function<Payload, JsonValue> payloads;

    Values(PayloadStore payloads) {
        this(payload ->
                payload instanceof Payload.Inline(var value) ? value : payloads.resolve(payload));
    }

    private Values(Function<Payload, JsonValue> payloads) {
        this.payloads = payloads;
    }

    JsonValue of(Payload payload) {
        return payloads.apply(payload);
    }

    JsonObject of(JobData data) {
        var object = JsonObject.builder();
        data.values().forEach((name, payload) -> object.put(name, of(payload)));
        return object.build();
    }

    static JsonString of(Instant instant) {
        return new JsonString(instant.toString());
    }

    static JsonString word(Enum<?> constant) {
        return new JsonString(constant.name().toLowerCase(Locale.ROOT));
    }

    static JsonObject of(TaskError error) {
        return JsonObject.builder()
                .put("class", word(error.kind()))
                .put("code", error.code())
                .put("message", error.message())
                .build();
    }

    static JsonObject of(SequencedMap<String, String> texts) {
        var object = JsonObject.builder();
        texts.forEach(object::put);
        return object.build();
    }

    static JsonArray workers(List<WorkerId> workers) {
        return texts(workers.stream().map(WorkerId::value).toList());
    }

    static JsonArray texts(List<String> texts) {
        return JsonArray.ofStrings(texts);
    }
}
