package dev.artel.e2e.kill;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;

/// A jar with blueprints in the data folder of an orchestrator.
final class BlueprintJar {
    private BlueprintJar() {}

    /// Writes `blueprints.jar` where an orchestrator on `data` reads it at its start.
    ///
    /// @param providers the classes that go into it, by the services that they provide
    static void write(Path data, Map<Class<?>, Class<?>> providers) throws IOException {
        var folder = Files.createDirectories(data.resolve("blueprints"));
        try (var jar =
                new JarOutputStream(Files.newOutputStream(folder.resolve("blueprints.jar")))) {
            for (var entry : providers.entrySet()) {
                var provider = entry.getValue();
                var file = provider.getName().replace('.', '/') + ".class";
                jar.putNextEntry(new JarEntry(file));
                try (var bytes = provider.getClassLoader().getResourceAsStream(file)) {
                    if (bytes == null) {
                        throw new IOException("no class file of " + provider);
                    }
                    bytes.transferTo(jar);
                }
                jar.putNextEntry(new JarEntry("META-INF/services/" + entry.getKey().getName()));
                jar.write(provider.getName().getBytes(UTF_8));
            }
        }
    }
}
