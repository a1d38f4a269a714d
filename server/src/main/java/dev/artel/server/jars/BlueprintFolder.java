package dev.artel.server.jars;

import dev.artel.engine.shell.Blueprints;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// The jars of a folder with the blueprints in them, each in a class loader of its own: two jars may hold different
/// classes of the same name. A jar that is broken keeps no other one from being used.
///
/// The jars are read once; what changes in the folder takes effect at the next start. [#close] after the engine that
/// uses the blueprints.
public final class BlueprintFolder implements AutoCloseable {
    /// How long the classes of a jar may take to be loaded.
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Duration patience;
    private final List<Jar> jars = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();

    private BlueprintFolder(Duration patience) {
        this.patience = patience;
    }

    /// The jars of `folder`, in the order of their names; none if there is no such folder.
    public static BlueprintFolder read(Path folder) {
        return read(folder, PATIENCE);
    }

    /// @param patience how long the classes of a jar may take to be loaded
    static BlueprintFolder read(Path folder, Duration patience) {
        var read = new BlueprintFolder(patience);
        if (Files.isDirectory(folder)) {
            try (var files = Files.list(folder)) {
                files.filter(file -> file.getFileName().toString().endsWith(".jar"))
                        .sorted()
                        .forEach(read::add);
            } catch (IOException e) {
                read.problems.add("cannot read the folder of blueprints " + folder + ": " + e);
            }
        }
        return read;
    }

    /// What is read runs code of its author, so it is read by a thread of its own and not waited for without end.
    private void add(Path file) {
        var reading = new CompletableFuture<Jar>();
        Thread.ofPlatform()
                .daemon()
                .name("artel-jar-" + file.getFileName())
                .start(() -> {
                    try {
                        reading.complete(Jar.read(file));
                    } catch (RuntimeException | Error failure) {
                        reading.completeExceptionally(failure);
                    }
                });
        try {
            var jar = reading.get(patience.toMillis(), TimeUnit.MILLISECONDS);
            jars.add(jar);
            problems.addAll(jar.problems());
        } catch (TimeoutException hangs) {
            problems.add(
                    file.getFileName()
                            + ": not read within "
                            + patience.toSeconds()
                            + " s; look at what its classes do when they are loaded");
        } catch (ExecutionException failed) {
            problems.add(file.getFileName() + ": " + failed.getCause());
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            problems.add(file.getFileName() + ": not read, since the start was interrupted");
        }
    }

    /// Adds the blueprints to `known`. One whose name and version are taken is a problem of its jar.
    public void addTo(Blueprints known) {
        for (var jar : jars) {
            for (var blueprint : jar.blueprints()) {
                try {
                    known.register(blueprint);
                } catch (IllegalArgumentException taken) {
                    problems.add(jar.file().getFileName() + ": " + taken.getMessage());
                }
            }
        }
    }

    /// Everything that is wrong, each in a text that names the jar; empty if nothing is.
    public List<String> problems() {
        return List.copyOf(problems);
    }

    @Override
    public void close() {
        jars.forEach(Jar::close);
    }
}
