package dev.artel.server.operations;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import dev.artel.waits.Await;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `dist/Sbom.java`, as `./artel dist` runs it.
final class KnownVulnerabilitiesTest {
    private static final Path ROOT =
            Path.of(System.getProperty("basedir", ".")).toAbsolutePath().resolveSibling("dist");
    private static final String VENDOR =
            "../dashboard/src/main/resources/dev/artel/dashboard/VENDOR.md";

    /// Of a jar in a repository of Maven.
    private static final Pattern JAR =
            Pattern.compile(".*/repository/(.+)/([^/]+)/([^/]+)/\\2-\\3\\.jar");

    @TempDir private Path folder;

    /// How it ended.
    private record Ran(int code, String text) {}

    private Ran sbom(String... arguments) throws IOException, InterruptedException {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.add(ROOT.resolve("Sbom.java").toString());
        command.addAll(List.of(arguments));
        var out = folder.resolve("out");
        var process =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(out.toFile())
                        .start();
        // It compiles its source first, all by itself.
        assertThat(process.waitFor(3 * Await.seconds(), TimeUnit.SECONDS)).isTrue();
        return new Ran(process.exitValue(), Files.readString(out));
    }

    private Path bom(List<String> purls) throws IOException {
        var components =
                purls.stream()
                        .<JsonValue>map(purl -> {
                            var at = purl.lastIndexOf('@');
                            return JsonObject.of(
                                            "bom-ref",
                                            JsonValue.of(purl),
                                            "purl",
                                            JsonValue.of(purl))
                                    .with(
                                            "name",
                                            JsonValue.of(
                                                    purl.substring(
                                                            purl.lastIndexOf('/', at) + 1, at)))
                                    .with("version", JsonValue.of(purl.substring(at + 1)));
                        })
                        .toList();
        return Files.write(
                folder.resolve("sbom.json"),
                JsonText.write(
                        JsonObject.of(
                                "components",
                                new JsonArray(components),
                                "dependencies",
                                JsonArray.EMPTY)));
    }

    @Test
    void noLibraryOfThisBuild_hasAVulnerabilityThatIsKnown() throws Exception {
        var bom =
                bom(
                        classPath()
                                .map(JAR::matcher)
                                .filter(jar -> jar.matches())
                                .map(jar ->
                                        "pkg:maven/%s/%s@%s"
                                                .formatted(
                                                        jar.group(1).replace('/', '.'),
                                                        jar.group(2),
                                                        jar.group(3)))
                                .toList());
        assertThat(Files.readString(bom)).contains("pkg:maven/org.eclipse.jetty/jetty-server@");
        var completed =
                sbom("complete", bom.toString(), ROOT.resolve(VENDOR).toString(), "25", jars());
        assertThat(completed).isEqualTo(new Ran(0, ""));
        assertThat(Files.readString(bom)).contains("pkg:npm/preact@", "pkg:npm/%40dagrejs/dagre@");

        assertThat(check(bom, ROOT.resolve("known-vulnerabilities.txt"))).isEqualTo(new Ran(0, ""));
    }

    private static Stream<String> classPath() {
        return Pattern.compile(File.pathSeparator)
                .splitAsStream(System.getProperty("java.class.path"));
    }

    private Ran check(Path bom, Path known) throws Exception {
        return sbom("check", bom.toString(), known.toString());
    }

    /// A folder with the jars of this build as a release has them.
    private String jars() throws IOException {
        var lib = Files.createDirectory(folder.resolve("lib"));
        for (var jar : classPath().toList()) {
            if (JAR.matcher(jar).matches()) {
                Files.createFile(lib.resolve(Path.of(jar).getFileName()));
            }
        }
        return lib.toString();
    }

    @Test
    void aVersionThatIsKnown_isReported_andNoOther() throws Exception {
        var affected =
                List.of(
                        "1.2.2|<1.2.3",
                        "2.0-beta9|>=2.0-beta9 <2.15.0",
                        "4.2.4.Final|<4.1.124 || >=4.2.0 <4.2.5",
                        "4.1.123|<4.1.124 || >=4.2.0 <4.2.5",
                        "1.0|=1.0.0");
        var others =
                List.of(
                        "1.2.3|<1.2.3",
                        "1.10|<1.9",
                        "2.0-beta8|>=2.0-beta9 <2.15.0",
                        "4.2.20.Final|>=4.2.0 <4.2.5",
                        "33.6.0-jre|<32.0.0");
        var purls = new ArrayList<String>();
        var lines = new ArrayList<>(List.of("# a comment", ""));
        var reports = new StringBuilder();
        var known = folder.resolve("known");
        for (var each : Stream.concat(affected.stream(), others.stream()).toList()) {
            var version = each.substring(0, each.indexOf('|'));
            var range = each.substring(each.indexOf('|') + 1);
            var purl = "pkg:maven/org.example/lib" + purls.size();
            purls.add(purl + "@" + version);
            lines.add("CVE-1 " + purl + " " + range);
            if (affected.contains(each)) {
                reports.append(
                        "artel: %s@%s has CVE-1 (%s:%d, %s); take a version without it\n"
                                .formatted(purl, version, known, lines.size(), range));
            }
        }

        assertThat(check(bom(purls), Files.write(known, lines)))
                .isEqualTo(new Ran(1, reports.toString()));
    }

    @Test
    void aLineThatMakesNoSense_isReported() throws Exception {
        var bom = bom(List.of("pkg:npm/a@1"));
        var known = folder.resolve("known");

        assertThat(check(bom, Files.writeString(known, "CVE-1 a <2")).text())
                .contains("known:1 is not ADVISORY PACKAGE VERSIONS");
        assertThat(check(bom, Files.writeString(known, "CVE-1 pkg:npm/a 1.2")).text())
                .contains("'1.2' is no range such as >=1.2 <1.3.4");
    }

    /// Trap: a jar that nobody lists is in the release.
    @Test
    void aJarThatTheListLacks_isReported() throws Exception {
        var bom = bom(List.of("pkg:maven/org.example/lib@1", "pkg:maven/org.example/other@1"));
        var lib = Files.createDirectory(folder.resolve("lib"));
        Files.createFile(lib.resolve("lib-1.jar"));
        Files.createFile(lib.resolve("unknown-2.jar"));

        var ran =
                sbom(
                        "complete",
                        bom.toString(),
                        ROOT.resolve(VENDOR).toString(),
                        "25",
                        lib.toString());

        assertThat(ran)
                .isEqualTo(new Ran(1, "artel: " + lib + "/unknown-2.jar is not in sbom.json\n"));
        assertThat(Files.readString(bom)).contains("/lib@1").doesNotContain("/other@1");
    }
}
