package dev.artel.client;

import dev.artel.json.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Something that a person is asked to decide about a job, as it was when somebody looked.
///
/// @param number by which it is decided, unique in its job
/// @param status `open`, `decided`, `expired` or `withdrawn`
/// @param message what is to be decided; empty if it is not open
/// @param choices what may be decided; none if it is not open
/// @param expiresAt when it is too late; empty: never
/// @param token with which anybody may decide once, as in a link in a mail; empty if it is not open or this client may not
/// have it
/// @param decision what was decided
/// @param by who decided
public record ApprovalView(
        long number,
        String status,
        String message,
        List<String> choices,
        Optional<Instant> expiresAt,
        Optional<String> token,
        Optional<String> decision,
        Optional<String> by) {
    /// Copies `choices`.
    public ApprovalView {
        choices = List.copyOf(choices);
    }

    static ApprovalView of(JsonObject document) {
        return new ApprovalView(
                document.number("approval").map(number -> number.asLong()).orElse(0L),
                document.string("status").orElse(""),
                document.string("message").orElse(""),
                document.object("choices").map(it -> List.copyOf(it.names())).orElse(List.of()),
                document.string("expires_at").map(Instant::parse),
                document.string("token"),
                document.string("decision"),
                document.string("by"));
    }

    /// Whether somebody can still decide.
    public boolean isOpen() {
        return status.equals("open");
    }
}
