package dev.artel.client;

import dev.artel.json.JsonObject;

/// Why a job is where it is.
///
/// @param text what it waits for, in words
/// @param document the whole object as the orchestrator returned it, with each thing that it waits for and what would unblock it
public record ExplanationView(String text, JsonObject document) {}
