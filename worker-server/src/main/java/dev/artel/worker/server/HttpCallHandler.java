package dev.artel.worker.server;

/// Serves HTTP requests beside the workers.
@FunctionalInterface
public interface HttpCallHandler {
    /// Answers `call`, or leaves it to the next handler. May wait. An exception is logged, and leaves the call to the next
    /// handler unless it is answered.
    ///
    /// @return whether it is handled
    /// @throws Exception if it cannot be
    boolean handle(HttpCall call) throws Exception;
}
