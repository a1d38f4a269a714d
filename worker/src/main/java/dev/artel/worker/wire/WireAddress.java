package dev.artel.worker.wire;

import java.net.URI;

/// Where a worker is to find its orchestrator, and as whom.
///
/// @param uri as the user wrote it
/// @param token what the orchestrator knows the worker by; empty for none
/// @param inline parameters with more bytes come as references where the wire allows for that; below 0: the wire decides
public record WireAddress(URI uri, String token, String workerId, int inline) {}
