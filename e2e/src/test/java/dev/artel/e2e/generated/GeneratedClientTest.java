package dev.artel.e2e.generated;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.config.Secret;
import dev.artel.config.ServerConfig;
import dev.artel.config.TokenSettings;
import dev.artel.server.ArtelNode;
import dev.artel.server.samples.SampleBlueprints;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A client that the build generates from openapi.json, with the generator that many projects use: it compiles, and a program
/// that uses it gets from an orchestrator what it expects.
final class GeneratedClientTest {
    private static final Path GENERATED = Path.of("target/generated-client/src/main/java");
    private static final Path CALLS = Path.of("src/test/generated/Calls.java");
    private static final String TOKEN = "client-token-of-the-generated-client";

    @TempDir private Path folder;
    private Path classes;

    @BeforeEach
    void compile() throws IOException {
        classes = Files.createDirectory(folder.resolve("classes"));
        var sources = new ArrayList<Path>(List.of(CALLS));
        try (var files = Files.walk(GENERATED)) {
            files.filter(file -> file.toString().endsWith(".java")).forEach(sources::add);
        }
        var found = new DiagnosticCollector<JavaFileObject>();
        var compiler = ToolProvider.getSystemJavaCompiler();
        try (var manager =
                compiler.getStandardFileManager(found, Locale.ROOT, StandardCharsets.UTF_8)) {
            var isCompiled =
                    compiler.getTask(
                                    null,
                                    manager,
                                    found,
                                    List.of("-proc:none", "-nowarn", "-d", classes.toString()),
                                    null,
                                    manager.getJavaFileObjectsFromPaths(sources))
                            .call();
            assertThat(found.getDiagnostics())
                    .filteredOn(each -> each.getKind() == Diagnostic.Kind.ERROR)
                    .isEmpty();
            assertThat(isCompiled).isTrue();
        }
    }

    @Test
    void aGeneratedClient_submitsFindsAndCancelsJobs_andReadsListsPageByPage() throws Exception {
        var config =
                ServerConfig.DEFAULTS
                        .withPort(0)
                        .withData(folder.resolve("data"))
                        .withTokens(
                                new TokenSettings.Given(
                                        new Secret(TOKEN),
                                        new Secret("worker-token-of-the-generated-client")));
        try (var node = ArtelNode.start(config, SampleBlueprints.all());
                var loader =
                        new URLClassLoader(
                                new URL[] {classes.toUri().toURL()}, getClass().getClassLoader())) {
            var results =
                    loader.loadClass("Calls")
                            .getMethod("run", String.class, String.class)
                            .invoke(null, node.uri().toString(), TOKEN);

            assertThat(results)
                    .isEqualTo(
                            "accepted, accepted, accepted, 3 jobs, echo waiting_for_worker, cancelled,"
                                    + " job.submitted, echo, 404 true");
        }
    }
}
