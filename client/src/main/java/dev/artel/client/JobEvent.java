package dev.artel.client;

import dev.artel.json.JsonObject;
import java.time.Instant;
import java.util.Optional;

/// Something that has happened to a job.
///
/// @param version which event of the job it is, from 1
/// @param type such as `task.succeeded`
/// @param at when it happened
/// @param document the whole object as the orchestrator returned it
public record JobEvent(long version, String type, Instant at, JsonObject document) {
    /// The job to which it has happened, of events of all jobs; empty for those of one.
    public Optional<String> jobId() {
        return document.string("job_id");
    }

    static JobEvent of(JsonObject document) {
        return new JobEvent(
                document.number("version").map(number -> number.asLong()).orElse(0L),
                document.string("type").orElse(""),
                document.string("at").map(Instant::parse).orElse(Instant.EPOCH),
                document);
    }
}
