package dev.artel.kernel.job;

import dev.artel.json.JsonObject;

/// What a client was entitled to when it submitted a job, for the job's handlers to go by.
///
/// @param plan what it pays for; `unknown` if nothing is known of it
/// @param params further parameters that the operator of the orchestrator sets; never a token
public record ClientPlan(String plan, JsonObject params) {
    /// Nothing is known of the client.
    public static final ClientPlan UNKNOWN = new ClientPlan("unknown", JsonObject.EMPTY);
}
