package dev.artel.server.jars;

import dev.artel.engine.shell.Blueprints;
import dev.artel.kernel.blueprint.Blueprint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// The jars of a folder, with the blueprints in them. Each jar has a class loader of its own: two jars may hold different
/// classes of the same name. A file that is broken keeps no other one from being used.
///
/// The files are read once; what changes in the folder takes effect at the next start. [#close] after the engine that
/// uses the blueprints.
public final class BlueprintFolder implements AutoCloseable {
    /// How long the classes of a jar may take to be loaded.
    private static final Duration LOAD_TIMEOUT = Duration.ofSeconds(30);

    private final Path folder;
    private final Duration loadTimeout;
    private final List<Jar> files = new ArrayList<>();

    /// What the files were like when they were read; guarded by this.
    private final Map<Path, Mark> read = new HashMap<>();

    private final List<String> problems = new ArrayList<>();

    private record Mark(long bytes, FileTime changed) {}

    /// What has come since a folder was read.
    ///
    /// @param jars those that were not there before, as far as blueprints are in them
    /// @param changed names of jars that are not what they were
    /// @param problems what is wrong, each in a text that names the jar
    public record Arrivals(List<Arrival> jars, List<String> changed, List<String> problems) {}

    /// A jar that has come.
    public record Arrival(String name, List<Blueprint> blueprints) {}

    private BlueprintFolder(Path folder, Duration loadTimeout) {
        this.folder = folder;
        this.loadTimeout = loadTimeout;
    }

    /// The jars of `folder`, in the order of their names; none if there is no such folder.
    public static BlueprintFolder read(Path folder) {
        return read(folder, LOAD_TIMEOUT);
    }

    /// @param loadTimeout how long the classes of a jar may take to be loaded
    static BlueprintFolder read(Path folder, Duration loadTimeout) {
        var read = new BlueprintFolder(folder, loadTimeout);
        for (var file : read.files(read.problems)) {
            var jar = read.add(file, read.problems);
            jar.ifPresent(read.files::add);
        }
        return read;
    }

    private List<Path> files(List<String> wrong) {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (var files = Files.list(folder)) {
            return files.filter(file -> file.getFileName().toString().endsWith(".jar"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            wrong.add("cannot read the folder of blueprints " + folder + ": " + e);
            return List.of();
        }
    }

    /// Reads the jars that have come since; those of which nothing could be used are read again each time. Classes that
    /// are loaded stay, so what was in a jar that was changed stays as well, until the next start.
    public synchronized Arrivals arrivals() {
        var come = new ArrayList<Arrival>();
        var changed = new ArrayList<String>();
        var wrong = new ArrayList<String>();
        for (var file : files(wrong)) {
            var name = file.getFileName().toString();
            var known = read.get(file);
            if (known != null) {
                if (!known.equals(mark(file))) {
                    changed.add(name);
                }
            } else {
                add(file, wrong)
                        .ifPresent(jar -> {
                            files.add(jar);
                            come.add(new Arrival(name, jar.blueprints()));
                        });
            }
        }
        return new Arrivals(come, changed, wrong);
    }

    private static Mark mark(Path file) {
        try {
            return new Mark(Files.size(file), Files.getLastModifiedTime(file));
        } catch (IOException gone) {
            return new Mark(-1, FileTime.fromMillis(0));
        }
    }

    /// The folder, whether it is there or not.
    Path path() {
        return folder;
    }

    /// Whether a jar of this name was taken up since the folder was read.
    synchronized boolean wasRead(String name) {
        return read.containsKey(folder.resolve(name));
    }

    /// What was taken up from a jar.
    synchronized List<Blueprint> blueprintsOf(String name) {
        return files.stream()
                .filter(jar -> jar.file().equals(folder.resolve(name)))
                .flatMap(jar -> jar.blueprints().stream())
                .toList();
    }

    /// What is in a jar that was only tried.
    record Tried(List<Blueprint> blueprints, List<String> problems) {}

    /// Reads a jar that is not in the folder, and lets its classes go again.
    Tried tried(Path file) {
        var wrong = new ArrayList<String>();
        var jar = load(file, wrong);
        jar.ifPresent(Jar::close);
        return new Tried(jar.map(Jar::blueprints).orElse(List.of()), wrong);
    }

    /// Reads the one jar `name` that has come.
    synchronized Optional<Arrival> take(String name, List<String> wrong) {
        return add(folder.resolve(name), wrong)
                .map(jar -> {
                    files.add(jar);
                    return new Arrival(name, jar.blueprints());
                });
    }

    private Optional<Jar> add(Path file, List<String> wrong) {
        var mark = mark(file);
        var jar = load(file, wrong);
        if (jar.isPresent()) {
            read.put(file, mark);
        }
        return jar;
    }

    /// What is read runs code of its author, so it is read by a thread of its own and not waited for without end.
    private Optional<Jar> load(Path file, List<String> wrong) {
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
            var jar = reading.get(loadTimeout.toMillis(), TimeUnit.MILLISECONDS);
            wrong.addAll(jar.problems());
            if (jar.blueprints().isEmpty()) {
                jar.close();
                return Optional.empty();
            }
            return Optional.of(jar);
        } catch (TimeoutException hangs) {
            wrong.add(
                    file.getFileName()
                            + ": not read within "
                            + loadTimeout.toSeconds()
                            + " s; look at what its classes do when they are loaded");
        } catch (ExecutionException failed) {
            wrong.add(file.getFileName() + ": " + failed.getCause());
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            wrong.add(file.getFileName() + ": not read, since the start was interrupted");
        }
        return Optional.empty();
    }

    /// Adds the blueprints to `known`. One whose name and version are taken is a problem of its jar.
    public void addTo(Blueprints known) {
        for (var jar : files) {
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
        files.forEach(Jar::close);
    }
}
