package dev.artel.config;

/// Where the tokens of clients and workers come from.
public sealed interface TokenSettings {
    /// They are made at the first start and kept in the data folder, for its owner only.
    record Kept() implements TokenSettings {}

    /// They were chosen by a person.
    ///
    /// @param client what clients send
    /// @param worker what workers send
    record Given(Secret client, Secret worker) implements TokenSettings {}
}
