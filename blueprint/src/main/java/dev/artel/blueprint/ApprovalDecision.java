package dev.artel.blueprint;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;

/// What somebody has decided about an approval.
///
/// @param decision the choice
/// @param by which client, as in `client shop`; `token (Ada)` for somebody who had nothing but the token
/// @param at when; empty where a function hears of it after a later decision
/// @param comment what they wanted to say about it
/// @param <C> a choice: a constant of an enum, or a word
public record ApprovalDecision<C>(
        C decision, String by, Optional<Instant> at, Optional<String> comment) {
    /// The decision that `json` records.
    ///
    /// @param json as the job's data have it
    /// @param choice the choice of a word
    /// @throws IllegalArgumentException if it is no decision, or its word is none of the choices
    public static <C> ApprovalDecision<C> of(JsonValue json, Function<String, Optional<C>> choice) {
        var given = json instanceof JsonObject object ? object : JsonObject.EMPTY;
        var decision =
                given.string("decision")
                        .flatMap(choice)
                        .orElseThrow(() ->
                                new IllegalArgumentException(
                                        "the last decision was "
                                                + json
                                                + ", which is none of its choices"));
        return new ApprovalDecision<>(
                decision,
                given.string("by").orElse(""),
                given.string("at").map(Instant::parse),
                given.string("comment"));
    }
}
