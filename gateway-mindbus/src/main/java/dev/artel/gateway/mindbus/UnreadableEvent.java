package dev.artel.gateway.mindbus;

/// A message that is no event of the bus, with what is wrong with it.
final class UnreadableEvent extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UnreadableEvent(String problem) {
        super(problem);
    }

    UnreadableEvent(String problem, Throwable cause) {
        super(problem, cause);
    }

    String problem() {
        return String.valueOf(getMessage());
    }
}
