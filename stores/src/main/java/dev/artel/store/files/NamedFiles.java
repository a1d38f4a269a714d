package dev.artel.store.files;

import dev.artel.kernel.store.BytesInMemory;
import dev.artel.kernel.store.NamedContents;
import dev.artel.kernel.store.StoreException.StoreUnavailable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/// Keeps each content as a file of a folder.
public final class NamedFiles implements NamedContents {
    private final Path folder;

    private NamedFiles(Path folder) {
        this.folder = folder;
    }

    /// The files of `folder`, which is made with the first one.
    public static NamedFiles in(Path folder) {
        return new NamedFiles(folder.toAbsolutePath());
    }

    @Override
    public Optional<byte[]> read(String name) {
        try {
            return Optional.of(Files.readAllBytes(folder.resolve(name)));
        } catch (NoSuchFileException none) {
            return Optional.empty();
        } catch (IOException e) {
            throw failed("reading", name, e);
        }
    }

    @Override
    public void write(String name, byte[] content) {
        try {
            Files.createDirectories(folder);
            var target = folder.resolve(name);
            DurableFiles.write(
                    new BytesInMemory(content),
                    Files.createTempFile(folder, name, ".unfinished"),
                    target);
            DurableFiles.syncFolders(target, folder);
        } catch (IOException e) {
            throw failed("writing", name, e);
        }
    }

    private StoreUnavailable failed(String attempted, String name, IOException e) {
        return new StoreUnavailable(
                attempted
                        + " "
                        + folder.resolve(name)
                        + ": found "
                        + e
                        + "; look whether the user "
                        + System.getProperty("user.name")
                        + " can use the folder and whether there is room",
                e);
    }

    @Override
    public void close() {}
}
