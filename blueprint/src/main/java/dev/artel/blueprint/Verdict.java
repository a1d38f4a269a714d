package dev.artel.blueprint;

/// The choices of [Approval#YES_OR_NO].
public enum Verdict {
    /// The person agrees: `approve`.
    APPROVE,
    /// The person does not: `reject`.
    REJECT
}
