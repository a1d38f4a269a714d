package dev.artel.engine.shell;

/// A handler has taken so much memory that there was none left for it: it is not tried again.
final class MemoryTaken extends RuntimeException {
    private static final long serialVersionUID = 1;

    /// @param allocated in bytes
    MemoryTaken(long allocated, OutOfMemoryError full) {
        super(
                "the handler ran out of memory, of which it had allocated "
                        + (allocated >> 20)
                        + " MB (the heap has "
                        + (Runtime.getRuntime().maxMemory() >> 20)
                        + " MB); let a worker do what needs so much, or give the orchestrator more"
                        + " (JAVA_TOOL_OPTIONS=-Xmx...), and release the job",
                full);
    }
}
