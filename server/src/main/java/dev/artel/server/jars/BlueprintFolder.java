package dev.artel.server.jars;

import dev.artel.engine.shell.Blueprints;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The jars of a folder with the blueprints in them, each in a class loader of its own: two jars may hold different
/// classes of the same name. A jar that is broken keeps no other one from being used.
///
/// The jars are read once; what changes in the folder takes effect at the next start. [#close] after the engine that
/// uses the blueprints.
public final class BlueprintFolder implements AutoCloseable {
    private final List<Jar> jars = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();

    private BlueprintFolder() {}

    /// The jars of `folder`, in the order of their names; none if there is no such folder.
    public static BlueprintFolder read(Path folder) {
        var read = new BlueprintFolder();
        if (Files.isDirectory(folder)) {
            try (var files = Files.list(folder)) {
                files.filter(file -> file.getFileName().toString().endsWith(".jar"))
                        .sorted()
                        .forEach(file -> read.add(Jar.read(file)));
            } catch (IOException e) {
                read.problems.add("cannot read the folder of blueprints " + folder + ": " + e);
            }
        }
        return read;
    }

    private void add(Jar jar) {
        jars.add(jar);
        problems.addAll(jar.problems());
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
