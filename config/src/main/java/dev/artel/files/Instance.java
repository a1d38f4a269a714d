package dev.artel.files;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import java.util.UUID;

/// One run of an orchestrator. `GET /readyz` returns it and the data folder keeps it, so that a program that looks at both can
/// find out whether they belong together.
///
/// @param id of this run alone; no secret
public record Instance(String id) {
    /// The name of the file in the data folder.
    public static final String NAME = "instance";

    /// In which header `GET /readyz` returns it.
    public static final String HEADER = "Artel-Instance";

    private static final int LONGEST = 200;

    /// A new run.
    public static Instance begun() {
        return new Instance(UUID.randomUUID().toString());
    }

    /// Writes it to the data folder `folder`.
    public void writeTo(Path folder) throws IOException {
        var beside = folder.resolve(NAME + ".new");
        PrivateFiles.makeFile(beside);
        Files.writeString(beside, id + "\n");
        Files.move(beside, folder.resolve(NAME), StandardCopyOption.ATOMIC_MOVE);
    }

    /// The last run on the data folder `folder`; empty if there is none.
    public static Optional<Instance> of(Path folder) throws IOException {
        try (var in = Files.newInputStream(folder.resolve(NAME))) {
            var text = new String(in.readNBytes(LONGEST), StandardCharsets.UTF_8).strip();
            return text.isEmpty() ? Optional.empty() : Optional.of(new Instance(text));
        } catch (NoSuchFileException _) {
            return Optional.empty();
        }
    }
}
