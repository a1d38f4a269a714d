package dev.artel.server.supervision;

import dev.artel.engine.shell.Supervision;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;

/// What the program around an orchestrator knows and decides.
///
/// @param problems with what it was started with, for people; they do not keep it from running
/// @param supervision decides what becomes of the process, given the data folder
public record Launch(List<String> problems, Function<Path, Supervision> supervision) {
    /// An orchestrator inside another program, which decides itself when to end.
    public static final Launch EMBEDDED = new Launch(List.of(), _ -> Supervision.LOG_ONLY);

    /// Copies the problems.
    public Launch {
        problems = List.copyOf(problems);
    }
}
