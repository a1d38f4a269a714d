package dev.artel.worker.server.hub;

/// A request is dispatched whose id is in flight. The caller waits for the end of that one, or takes another id.
public final class RequestInFlight extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /// The id of the request.
    private final String requestId;

    /// @param name of the request, for people
    RequestInFlight(String requestId, String name) {
        super(
                "cannot dispatch request %s: a request of this id is in flight; settle it first, or use another id"
                        .formatted(name));
        this.requestId = requestId;
    }

    /// The id of the request.
    public String requestId() {
        return requestId;
    }
}
