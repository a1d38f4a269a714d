package dev.artel.server.jars;

import dev.artel.blueprint.BlueprintDefinition;
import dev.artel.blueprint.BlueprintProvider;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.blueprint.BlueprintSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.jar.JarFile;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A jar with blueprints.
///
/// @param blueprints those that could be read
/// @param problems what is wrong with the rest
record Jar(Path file, JarClasses classes, List<Blueprint> blueprints, List<String> problems) {
    private static final Logger LOG = LoggerFactory.getLogger(Jar.class);
    private static final String MARK = BlueprintDefinition.class.descriptorString();

    private interface Reading {
        void read();
    }

    static Jar read(Path file) {
        var jar = new Jar(file, JarClasses.of(file), new ArrayList<>(), new ArrayList<>());
        jar.attempt("reading it", () -> jar.annotated().forEach(jar::addAnnotated));
        jar.attempt("its providers", jar::addProviders);
        jar.attempt("its sources", jar::addSources);
        if (jar.blueprints.isEmpty() && jar.problems.isEmpty()) {
            jar.problems.add(
                    file.getFileName()
                            + ": no blueprint in it; mark a class with @BlueprintDefinition, or name a"
                            + " BlueprintProvider in META-INF/services/"
                            + BlueprintProvider.class.getName());
        }
        return jar;
    }

    /// The names of the classes that are marked, found without loading any.
    private List<String> annotated() {
        var names = new ArrayList<String>();
        try (var jar = new JarFile(file.toFile())) {
            for (var entry : jar.stream().toList()) {
                var name = entry.getName();
                if (name.endsWith(".class") && !name.startsWith("META-INF/")) {
                    try (var bytes = jar.getInputStream(entry)) {
                        if (isMarked(bytes.readAllBytes())) {
                            names.add(name.substring(0, name.length() - 6).replace('/', '.'));
                        }
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return names.stream().sorted().toList();
    }

    private static boolean isMarked(byte[] bytes) {
        return ClassFile.of()
                .parse(bytes)
                .findAttribute(Attributes.runtimeVisibleAnnotations())
                .stream()
                .flatMap(visible -> visible.annotations().stream())
                .anyMatch(annotation -> annotation.className().equalsString(MARK));
    }

    private void addAnnotated(String name) {
        attempt(
                "class " + name,
                () -> {
                    try {
                        blueprints.add(
                                dev.artel.blueprint.Blueprint.annotated(classes.loadClass(name))
                                        .definition());
                    } catch (ClassNotFoundException e) {
                        throw new IllegalArgumentException("it cannot be loaded: " + e, e);
                    }
                });
    }

    private void addProviders() {
        for (var provider : ServiceLoader.load(BlueprintProvider.class, classes)) {
            attempt(
                    "provider " + provider.getClass().getName(),
                    () -> provider.blueprints().forEach(each -> blueprints.add(each.definition())));
        }
    }

    /// Of programs that make blueprints of data, with the builder of the kernel.
    private void addSources() {
        for (var source : ServiceLoader.load(BlueprintSource.class, classes)) {
            attempt(
                    "source " + source.getClass().getName(),
                    () -> blueprints.addAll(source.blueprints()));
        }
    }

    /// Whatever a stranger's class does, the others go on.
    @SuppressWarnings("IllegalCatch")
    private void attempt(String what, Reading reading) {
        try {
            reading.read();
        } catch (RuntimeException | LinkageError | ServiceConfigurationError failure) {
            LOG.atDebug().addKeyValue("jar", file).setCause(failure).log("a blueprint is broken");
            problems.add(file.getFileName() + ": " + what + ": " + message(failure));
        }
    }

    private static String message(Throwable failure) {
        return switch (failure) {
            case UncheckedIOException e ->
                    "it is no readable jar (" + e.getCause() + "); build it again";
            case IllegalArgumentException e -> String.valueOf(e.getMessage());
            case NoClassDefFoundError e ->
                    "it needs the class "
                            + String.valueOf(e.getMessage()).replace('/', '.')
                            + ", which is not in the jar; put what it uses into it";
            case UnsupportedClassVersionError e ->
                    "it was compiled for a newer Java: " + e.getMessage();
            default -> failure.toString();
        };
    }

    /// Lets go of its classes.
    void close() {
        try {
            classes.close();
        } catch (IOException e) {
            LOG.atWarn().addKeyValue("jar", file).setCause(e).log("a jar did not close");
        }
    }
}
