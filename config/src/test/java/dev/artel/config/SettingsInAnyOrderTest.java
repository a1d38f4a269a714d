package dev.artel.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Trap: the constants of two classes are made of each other, and what is used first sees those of the other one as null.
final class SettingsInAnyOrderTest {
    private static final Path CLASSES = Path.of("target", "classes");

    static List<String> classes() throws IOException {
        try (var files = Files.walk(CLASSES.resolve(Path.of("dev", "artel", "config")))) {
            return files.map(file -> CLASSES.relativize(file).toString())
                    .filter(file -> file.endsWith(".class") && !file.endsWith("-info.class"))
                    .map(file -> file.substring(0, file.length() - 6).replace('/', '.'))
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("classes")
    void constants_areWhole_whateverIsUsedFirst(String first) throws ReflectiveOperationException {
        var loader = new Anew();
        var _ = Class.forName(first, true, loader);
        for (var name : List.of("dev.artel.config.ServerConfig", first)) {
            for (var field : Class.forName(name, true, loader).getDeclaredFields()) {
                if (Modifier.isStatic(field.getModifiers()) && !field.isSynthetic()) {
                    field.setAccessible(true);
                    check(field.get(null), first + " first: " + name + "." + field.getName());
                }
            }
        }
    }

    private static void check(@Nullable Object value, String what)
            throws ReflectiveOperationException {
        assertThat(value).as(what).isNotNull();
        if (value instanceof Record record) {
            for (var component : record.getClass().getRecordComponents()) {
                var accessor = component.getAccessor();
                accessor.setAccessible(true);
                check(accessor.invoke(record), what + "." + component.getName());
            }
        }
    }

    /// Classes of the settings that nothing has used yet.
    private static final class Anew extends ClassLoader {
        Anew() {
            super(SettingsInAnyOrderTest.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            var file = CLASSES.resolve(name.replace('.', '/') + ".class");
            if (!Files.exists(file)) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                var loaded = findLoadedClass(name);
                return loaded == null ? defined(name, file) : loaded;
            }
        }

        private Class<?> defined(String name, Path file) throws ClassNotFoundException {
            try {
                var bytes = Files.readAllBytes(file);
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }
}
