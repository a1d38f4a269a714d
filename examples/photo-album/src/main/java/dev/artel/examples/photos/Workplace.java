package dev.artel.examples.photos;

import dev.artel.worker.InvalidInput;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/// The part of the disk that tasks may touch.
record Workplace(Path root) {
    Workplace {
        root = root.toAbsolutePath().normalize();
    }

    /// The file that a task names.
    ///
    /// @throws InvalidInput if it is outside
    Path file(String named) {
        try {
            var file = root.resolve(named).normalize();
            if (!file.startsWith(root) || file.equals(root)) {
                throw new InvalidInput(
                        named
                                + " is outside of "
                                + root
                                + ", which this worker serves; see its --root");
            }
            return file;
        } catch (InvalidPathException nonsense) {
            throw new InvalidInput("not a path: " + nonsense.getMessage(), nonsense);
        }
    }
}
