package dev.artel.server.jars;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.engine.shell.Blueprints;
import dev.artel.waits.Await;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class BlueprintFolderTest {
    private static final String GOOD =
            """
            package own;
            import dev.artel.blueprint.*;
            @BlueprintDefinition(name = "good", version = "%s")
            public class Good {
                @StateHandler(value = "only", start = true)
                dev.artel.json.JsonObject only() { return dev.artel.json.JsonObject.EMPTY; }
            }
            """;

    private static final String SOURCE =
            """
            package own;
            import dev.artel.kernel.blueprint.*;
            import java.util.List;
            public class Source implements BlueprintSource {
                public List<Blueprint> blueprints() {
                    return List.of(Blueprint.named("built").start("only", step -> Action.endBranch()).build());
                }
            }
            """;

    private static final String PROVIDER =
            """
            package own;
            import dev.artel.blueprint.*;
            import java.util.List;
            public class Provider implements BlueprintProvider {
                record Order(String item) {}
                public List<Blueprint> blueprints() {
                    var b = Blueprint.states(BlueprintType.of("typed", Order.class));
                    b.start("only").finish(step -> Nothing.NOTHING);
                    return List.of(
                            b.build(),
                            Blueprint.function(
                                    BlueprintType.of("coded", Order.class), (run, order) -> Nothing.NOTHING));
                }
            }
            """;

    private static final String INSIDE =
            """
            package own;
            import dev.artel.blueprint.*;
            @BlueprintDefinition(name = "inside")
            public class Inside {
                @StateHandler(value = "one", start = true) void one() {}
                static final Object NEEDED = dev.artel.blueprint.function.FunctionBlueprint.GUARDS;
            }
            """;

    @TempDir Path folder;

    private Path blueprints;

    @BeforeEach
    void make() throws IOException {
        blueprints = Files.createDirectory(folder.resolve("blueprints"));
    }

    /// A jar with the class `source`, and what `also` names with its content.
    private void jar(String name, String className, String source, String... also)
            throws IOException {
        var work = Files.createDirectory(folder.resolve(name + "-work"));
        var file = work.resolve(className + ".java");
        Files.writeString(file, source);
        var output = new ByteArrayOutputStream();
        var result =
                ToolProvider.getSystemJavaCompiler()
                        .run(
                                null,
                                output,
                                output,
                                "-parameters",
                                "-proc:none",
                                "-cp",
                                System.getProperty("java.class.path"),
                                "-d",
                                work.toString(),
                                file.toString());
        assertThat(result).as(output.toString(UTF_8)).isZero();
        try (var jar = new JarOutputStream(Files.newOutputStream(blueprints.resolve(name)));
                var all = Files.walk(work)) {
            for (var each : all.filter(path -> path.toString().endsWith(".class")).toList()) {
                add(jar, work.relativize(each).toString(), Files.readAllBytes(each));
            }
            for (var i = 0; i < also.length; i += 2) {
                add(jar, also[i], also[i + 1].getBytes(UTF_8));
            }
        }
    }

    private static void add(JarOutputStream jar, String name, byte[] bytes) throws IOException {
        jar.putNextEntry(new JarEntry(name));
        jar.write(bytes);
        jar.closeEntry();
    }

    private List<String> read(Blueprints known) {
        try (var read = BlueprintFolder.read(blueprints, Await.longest())) {
            read.addTo(known);
            return read.problems();
        }
    }

    @Test
    void annotatedClassesAndSources_areFound() throws IOException {
        jar("annotated.jar", "Good", GOOD.formatted("1"));
        jar(
                "source.jar",
                "Source",
                SOURCE,
                "META-INF/services/dev.artel.kernel.blueprint.BlueprintSource",
                "own.Source\n");
        Files.writeString(blueprints.resolve("notes.txt"), "not a jar");
        var known = new Blueprints();

        assertThat(read(known)).isEmpty();
        assertThat(known.names()).containsExactly("built", "good");
    }

    @Test
    void blueprintsOfAProvider_needNoKernel() throws IOException {
        jar(
                "provider.jar",
                "Provider",
                PROVIDER,
                "META-INF/services/dev.artel.blueprint.BlueprintProvider",
                "own.Provider\n");
        var known = new Blueprints();

        assertThat(read(known)).isEmpty();
        assertThat(known.names()).containsExactly("coded", "typed");
    }

    /// Trap: a blueprint uses what is not for authors, and breaks with the next release.
    @Test
    void whatIsBelowThePackageOfAuthors_isNotVisible() throws IOException {
        jar("inside.jar", "Inside", INSIDE);

        assertThat(read(new Blueprints()))
                .singleElement()
                .asString()
                .contains("it needs the class dev.artel.blueprint.function.FunctionBlueprint");
    }

    /// Trap: two versions of a blueprint have classes of one name, and the first one wins for both.
    @Test
    void classesOfOneName_standSideBySide() throws IOException {
        jar("a.jar", "Good", GOOD.formatted("1.9"));
        jar("b.jar", "Good", GOOD.formatted("1.10"));
        var known = new Blueprints();

        assertThat(read(known)).isEmpty();
        assertThat(known.versionsOf("good")).containsExactly("1.9", "1.10");
        assertThat(known.find("good").orElseThrow().version()).isEqualTo("1.10");
    }

    /// Trap: a class that waits for something while it is loaded keeps the orchestrator from starting.
    @Test
    void aJarThatNeverEndsLoading_isLeftOut() throws IOException {
        jar(
                "hangs.jar",
                "Hangs",
                """
                package own;
                @dev.artel.blueprint.BlueprintDefinition(name = "hangs")
                public class Hangs {
                    static { java.util.concurrent.locks.LockSupport.parkNanos(600_000_000_000L); }
                }
                """);
        jar("good.jar", "Good", GOOD.formatted("1"));
        var known = new Blueprints();

        // A busy machine may need longer for the other one, too.
        var seconds = 5;
        while (!isReadWithin(seconds, known)) {
            seconds *= 2;
            assertThat(seconds).isLessThan(1_000);
        }
        assertThat(known.names()).containsExactly("good");
    }

    /// Whether the jar that does not hang is read.
    private boolean isReadWithin(int seconds, Blueprints known) {
        try (var read = BlueprintFolder.read(blueprints, Duration.ofSeconds(seconds))) {
            if (read.problems().size() > 1) {
                return false;
            }
            read.addTo(known);
            assertThat(read.problems())
                    .singleElement()
                    .asString()
                    .startsWith("hangs.jar: not read within %d s".formatted(seconds));
            return true;
        }
    }

    /// Trap: one broken jar keeps the orchestrator from starting.
    @Test
    void whatIsBroken_isListedInOneReport_andTheRestIsUsed() throws IOException {
        Files.writeString(blueprints.resolve("a-garbage.jar"), "no zip at all");
        jar(
                "b-throws.jar",
                "Throws",
                """
                package own;
                @dev.artel.blueprint.BlueprintDefinition(name = "throws")
                public class Throws { public Throws() { throw new IllegalStateException("no luck"); } }
                """);
        jar(
                "c-wrong.jar",
                "Wrong",
                """
                package own;
                import dev.artel.blueprint.*;
                @BlueprintDefinition(name = "wrong")
                public class Wrong {
                    @StateHandler(value = "one", start = true, leadsTo = "nowhere") void one(String typo) {}
                }
                """);
        jar(
                "d-library.jar",
                "Library",
                """
                package own;
                import dev.artel.blueprint.*;
                @BlueprintDefinition(name = "library")
                public class Library {
                    @StateHandler(value = "one", start = true) void one() {}
                    static final Object NEEDED = com.fasterxml.jackson.core.JsonToken.NOT_AVAILABLE;
                }
                """);
        jar("e-empty.jar", "Empty", "package own; public class Empty {}");
        jar("f-good.jar", "Good", GOOD.formatted("1"));
        jar("g-again.jar", "Good", GOOD.formatted("1"));
        var known = new Blueprints();

        var problems = new ArrayList<>(read(known));

        assertThat(known.names()).containsExactly("good");
        assertThat(problems).hasSize(6);
        assertThat(problems.get(0)).startsWith("a-garbage.jar: reading it: it is no readable jar");
        assertThat(problems.get(1))
                .startsWith("b-throws.jar: class own.Throws")
                .contains("no luck");
        assertThat(problems.get(2))
                .contains("c-wrong.jar: class own.Wrong")
                .contains("parameter 'typo' names nothing")
                .contains("leads to 'nowhere', which is not defined");
        assertThat(problems.get(3))
                .startsWith("d-library.jar: class own.Library")
                .contains("com.fasterxml.jackson.core.JsonToken");
        assertThat(problems.get(4)).startsWith("e-empty.jar: no blueprint in it");
        assertThat(problems.get(5)).startsWith("g-again.jar: blueprint 'good' is registered");
    }

    @Test
    void aFolderThatIsNotThere_hasNoBlueprints() {
        try (var read = BlueprintFolder.read(folder.resolve("none"))) {
            assertThat(read.problems()).isEmpty();
        }
    }
}
