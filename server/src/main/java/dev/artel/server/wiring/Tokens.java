package dev.artel.server.wiring;

import dev.artel.config.Secret;

/// The tokens in force.
///
/// @param client what clients send
/// @param worker what workers send
/// @param isNew whether they were made by this start
public record Tokens(Secret client, Secret worker, boolean isNew) {}
