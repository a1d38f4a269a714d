package dev.artel.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;

/// Jars of blueprints, made of classes of the tests.
public final class TestJar {
    private TestJar() {}

    /// A jar with the class of `provider`, which offers itself as a `service`. The same classes give the same bytes.
    public static byte[] of(Class<?> service, Class<?> provider) throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var jar = new JarOutputStream(bytes)) {
            add(jar, "META-INF/services/" + service.getName(), provider.getName().getBytes(UTF_8));
            var name = provider.getName().replace('.', '/') + ".class";
            try (var code = provider.getClassLoader().getResourceAsStream(name)) {
                if (code == null) {
                    throw new IOException("a jar of " + provider + ": there is no " + name);
                }
                add(jar, name, code.readAllBytes());
            }
        }
        return bytes.toByteArray();
    }

    private static void add(JarOutputStream jar, String name, byte[] content) throws IOException {
        var entry = new JarEntry(name);
        entry.setTime(1_600_000_000_000L);
        jar.putNextEntry(entry);
        jar.write(content);
        jar.closeEntry();
    }
}
