package dev.artel.server.supervision;

import dev.artel.engine.shell.Supervision;
import dev.artel.server.reload.Sources;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// What the program around an orchestrator knows and decides.
///
/// @param problems with what it was started with, for people; they do not keep it from running
/// @param supervision decides what becomes of the process, given the data folder
/// @param sources of settings and blueprints that can be read again
public record Launch(
        List<String> problems, Function<Path, Supervision> supervision, Optional<Sources> sources) {
    /// An orchestrator inside another program, which decides itself when to end.
    public static final Launch EMBEDDED =
            new Launch(List.of(), _ -> Supervision.LOG_ONLY, Optional.empty());

    /// Copies the problems.
    public Launch {
        problems = List.copyOf(problems);
    }
}
