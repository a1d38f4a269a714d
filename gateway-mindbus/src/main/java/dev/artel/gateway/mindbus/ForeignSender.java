package dev.artel.gateway.mindbus;

/// A message whose account on the broker is not that of the agent that it is of.
final class ForeignSender extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ForeignSender(String problem) {
        super(problem);
    }
}
