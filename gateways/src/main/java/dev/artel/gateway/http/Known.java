package dev.artel.gateway.http;

import dev.artel.kernel.delivery.WorkerId;
import dev.artel.protocol.Heartbeat;
import org.jspecify.annotations.Nullable;

/// What a request of a worker means, so that the same bytes need not be read again.
///
/// @param worker the one that the path names
/// @param era as long as it lasts, the worker is let in with what it said
/// @param heartbeat null: it is a poll
/// @param max how many tasks a poll wants at most; 0: it does not say
record Known(WorkerId worker, Object era, @Nullable Heartbeat heartbeat, int max) {}
