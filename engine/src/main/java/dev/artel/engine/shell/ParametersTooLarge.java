package dev.artel.engine.shell;

/// A handler has made more parameters than there is room for: another attempt would make as many.
final class ParametersTooLarge extends RuntimeException {
    private static final long serialVersionUID = 1;

    private static final long MEBIBYTE = 1 << 20;

    /// @param count of how many tasks or children, so far
    /// @param bytes that they take in memory
    /// @param most that those of one run may take
    /// @param heap how many bytes there are at most
    ParametersTooLarge(int count, long bytes, long most, long heap) {
        super(
                "the handler has made "
                        + count
                        + " tasks or children whose parameters take "
                        + Math.ceilDiv(bytes, MEBIBYTE)
                        + " MB of memory, and one run may make "
                        + most / MEBIBYTE
                        + " MB, a quarter of the heap of "
                        + heap / MEBIBYTE
                        + " MB; let the state make fewer at once and come back for the next ones, let children"
                        + " make them, keep what is large elsewhere and pass where it is, or give the"
                        + " orchestrator more memory (JAVA_TOOL_OPTIONS=-Xmx...), and release the job");
    }
}
