package dev.artel.simulation.card;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonNull;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.task.JobData;
import dev.artel.kernel.task.Payload;
import dev.artel.simulation.card.RandomStep.OfInput;
import dev.artel.simulation.card.RandomStep.OfStep;
import dev.artel.simulation.card.RandomStep.Reading;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// What the processes of cards see, read without the code of cards.
///
/// @param values reads what is kept apart
record CardValues(Function<Payload, JsonValue> values) {
    JsonValue of(Payload payload) {
        return values.apply(payload);
    }

    /// As one object.
    JsonObject of(JobData data) {
        var object = JsonObject.builder();
        data.values().forEach((name, value) -> object.put(name, values.apply(value)));
        return object.build();
    }

    /// What `reading` gives in `job`; empty if there is no such thing.
    Optional<JsonValue> of(Job job, Reading reading) {
        return switch (reading) {
            case OfInput _ -> of(job.spec().initialData()).get(RandomCard.NUMBER);
            case OfStep(var variable) ->
                    job.data()
                            .get(variable)
                            .map(values)
                            .or(() ->
                                    Optional.of(JsonObject.of(RandomCard.MADE, JsonNumber.of(0L))))
                            .filter(JsonObject.class::isInstance)
                            .flatMap(output -> ((JsonObject) output).get(RandomCard.MADE));
        };
    }

    /// The results of children, as a variable has them.
    static JsonValue gathered(List<JsonValue> results, boolean isLoop) {
        if (isLoop) {
            return new JsonArray(results);
        }
        return results.isEmpty() ? JsonNull.NULL : results.getFirst();
    }
}
