package dev.artel.schedule.rules;

import dev.artel.json.JsonValue;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.SequencedMap;

/// What each job of a schedule is submitted with.
///
/// @param version of the blueprint; empty: the newest at the time
/// @param client as which the jobs run
/// @param input their initial data
/// @param priority empty: the default of the client
/// @param labels beside those that name the schedule and the tick
/// @param deadline how long after its submission a job fails that has not ended; empty: never
public record JobTemplate(
        String blueprint,
        Optional<String> version,
        String client,
        JsonValue input,
        Optional<Double> priority,
        SequencedMap<String, String> labels,
        Optional<Duration> deadline) {
    /// The label by which the jobs of a schedule are found.
    public static final String SCHEDULE_LABEL = "schedule";

    /// The label with the tick of a job.
    public static final String TICK_LABEL = "schedule_tick";

    /// Copies the labels.
    public JobTemplate {
        labels = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(labels));
    }

    /// Jobs of the newest version of `blueprint` that `client` submits with `input`.
    public static JobTemplate of(String blueprint, String client, JsonValue input) {
        return new JobTemplate(
                blueprint,
                Optional.empty(),
                client,
                input,
                Optional.empty(),
                new LinkedHashMap<>(),
                Optional.empty());
    }
}
