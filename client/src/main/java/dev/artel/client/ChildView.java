package dev.artel.client;

import dev.artel.json.JsonObject;
import java.util.Optional;

/// A job that another one has started or will start, as that one knew it at the time of the request.
///
/// @param number its number among the children, from 0
/// @param job empty as long as its turn has not come, and if it never comes
/// @param blueprint its name
/// @param status where it stands, or how it ended
/// @param error why it could not be started
/// @param document the whole object as the orchestrator returned it
public record ChildView(
        int number,
        Optional<JobRef> job,
        String blueprint,
        ChildStatus status,
        Optional<String> error,
        JsonObject document) {
    static ChildView of(JsonObject document) {
        return new ChildView(
                document.number("number").map(number -> (int) number.asLong()).orElse(-1),
                document.string("job_id").map(JobRef::new),
                document.string("blueprint_name").orElse(""),
                ChildStatus.of(document.string("status").orElse("")),
                document.string("error_message"),
                document);
    }

    /// The word that the orchestrator has for its status, also one that this client does not know.
    public String statusWord() {
        return document.string("status").orElse("");
    }
}
