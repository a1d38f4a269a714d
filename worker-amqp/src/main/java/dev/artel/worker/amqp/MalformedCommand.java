package dev.artel.worker.amqp;

/// A message that is no command that an agent could do.
final class MalformedCommand extends RuntimeException {
    private static final long serialVersionUID = 1L;

    MalformedCommand(String problem) {
        super(problem);
    }
}
