package dev.artel.worker.server.hub;

import dev.artel.json.JsonObject;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// A request for a worker that the hub selects.
///
/// @param model the model that the worker must serve; null for any worker
/// @param category the category against whose limit it counts; null for none
/// @param message what the worker receives; its `requestId` identifies the request, and the hub adds one where it has none
/// @param maxAttempts how many workers may get it, one after the other, where one is lost or does not confirm; null for
///     [HubTimes#maxAttempts]
/// @param deadline how long it may be in flight over all attempts; null for [HubTimes#requestDeadline]
public record DispatchRequest(
        @Nullable String model,
        @Nullable String category,
        JsonObject message,
        @Nullable Integer maxAttempts,
        @Nullable Duration deadline) {
    /// Refuses a blank model, a message without a type, and limits that are none.
    public DispatchRequest {
        if (model != null && model.isBlank()) {
            throw new IllegalArgumentException(
                    "a request for a blank model: name one, or leave it out for any worker");
        }
        if (message.string("type").isEmpty()) {
            throw new IllegalArgumentException(
                    "a request whose message has no \"type\" that is a string: workers go by it");
        }
        if (message.has("requestId")
                && message.string("requestId").filter(id -> !id.isBlank()).isEmpty()) {
            throw new IllegalArgumentException(
                    "a request whose \"requestId\" is not a string, or blank: leave it out for one of the hub");
        }
        if (maxAttempts != null && maxAttempts < 1) {
            throw new IllegalArgumentException(
                    "%d attempts for a request: at least 1".formatted(maxAttempts));
        }
        if (deadline != null && !deadline.isPositive()) {
            throw new IllegalArgumentException(
                    "a deadline of %s for a request: it must be positive".formatted(deadline));
        }
    }

    /// A request for any worker.
    public static DispatchRequest of(JsonObject message) {
        return new DispatchRequest(null, null, message, null, null);
    }

    /// A request for a worker that serves `model`.
    public static DispatchRequest of(String model, JsonObject message) {
        return new DispatchRequest(model, null, message, null, null);
    }

    /// This request, counted against the limits of `category`.
    public DispatchRequest withCategory(String category) {
        return new DispatchRequest(model, category, message, maxAttempts, deadline);
    }

    /// This request for at most `maxAttempts` workers, one after the other.
    public DispatchRequest withMaxAttempts(int maxAttempts) {
        return new DispatchRequest(model, category, message, maxAttempts, deadline);
    }

    /// This request, in flight for at most `deadline`.
    public DispatchRequest withDeadline(Duration deadline) {
        return new DispatchRequest(model, category, message, maxAttempts, deadline);
    }
}
