package dev.artel.worker;

import java.nio.file.Path;

/// Does one type of task whose parameters may be larger than memory. Called by many threads at a time, each a virtual
/// thread of its own.
@FunctionalInterface
public interface FileHandler {
    /// Does the task; see [Handler#handle].
    ///
    /// @param params a file with the parameters as JSON text; gone when the task is done
    /// @throws Exception as in [Handler#handle]
    Result handle(Path params, TaskContext task) throws Exception;
}
