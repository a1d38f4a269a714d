package dev.artel.client;

import dev.artel.blueprint.Approval;
import dev.artel.json.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Something that a person is asked to decide about a job, at the time of the request.
///
/// @param number by which it is decided, unique in its job
/// @param status whether a person can still decide, or how it ended
/// @param message what is to be decided; empty if it is not open
/// @param choices what may be decided; none if it is not open
/// @param expiresAt when it is too late; empty: never
/// @param token with which every holder may decide once, as in a link in a mail; empty if it is not open or this client may not
/// have it
/// @param decision what was decided
/// @param by who decided
/// @param document the whole object as the orchestrator returned it
public record ApprovalView(
        long number,
        ApprovalStatus status,
        String message,
        List<String> choices,
        Optional<Instant> expiresAt,
        Optional<String> token,
        Optional<String> decision,
        Optional<String> by,
        JsonObject document) {
    /// Copies `choices`.
    public ApprovalView {
        choices = List.copyOf(choices);
    }

    static ApprovalView of(JsonObject document) {
        return new ApprovalView(
                document.number("approval").map(number -> number.asLong()).orElse(0L),
                ApprovalStatus.of(document.string("status").orElse("")),
                document.string("message").orElse(""),
                document.object("choices").map(it -> List.copyOf(it.names())).orElse(List.of()),
                document.string("expires_at").map(Instant::parse),
                document.string("token"),
                document.string("decision"),
                document.string("by"),
                document);
    }

    /// Whether a person can still decide.
    public boolean isOpen() {
        return status == ApprovalStatus.OPEN;
    }

    /// What was decided, as a choice of `approval`; empty if nothing was, or if it is none of its choices.
    public <C> Optional<C> decision(Approval<C> approval) {
        return decision.flatMap(approval::choice);
    }

    /// The word that the orchestrator has for its status, also one that this client does not know.
    public String statusWord() {
        return document.string("status").orElse("");
    }
}
