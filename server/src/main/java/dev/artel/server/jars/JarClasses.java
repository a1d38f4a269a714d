package dev.artel.server.jars;

import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;

/// The classes of one jar. Of the orchestrator's own it sees what blueprints are written with, and nothing else: what
/// libraries the orchestrator uses is no business of a blueprint's, which may bring its own versions.
final class JarClasses extends URLClassLoader {
    static {
        registerAsParallelCapable();
    }

    private JarClasses(Path file, URL url) {
        super("artel-" + file.getFileName(), new URL[] {url}, new Shared());
    }

    static JarClasses of(Path file) {
        try {
            return new JarClasses(file, file.toUri().toURL());
        } catch (MalformedURLException impossible) {
            throw new IllegalStateException("a file has a URL: " + file, impossible);
        }
    }

    /// The Java platform and what blueprints are written with.
    private static final class Shared extends ClassLoader {
        /// Of the packages below it none is for authors.
        private static final String BLUEPRINT = "dev.artel.blueprint.";

        private static final List<String> PACKAGES =
                List.of(
                        "dev.artel.json.",
                        "dev.artel.kernel.",
                        "org.slf4j.",
                        "org.jspecify.annotations.");

        static {
            registerAsParallelCapable();
        }

        private final ClassLoader all = Shared.class.getClassLoader();

        private Shared() {
            super("artel-shared", ClassLoader.getPlatformClassLoader());
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            if (isShared(name)) {
                return all.loadClass(name);
            }
            throw new ClassNotFoundException(name);
        }

        private static boolean isShared(String name) {
            return name.startsWith(BLUEPRINT)
                    ? name.indexOf('.', BLUEPRINT.length()) < 0
                    : PACKAGES.stream().anyMatch(name::startsWith);
        }
    }
}
