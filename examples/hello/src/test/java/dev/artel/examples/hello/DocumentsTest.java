package dev.artel.examples.hello;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What the documents state about files is true.
final class DocumentsTest {
    private static final Path ROOT =
            Path.of(System.getProperty("basedir", "."), "../..").toAbsolutePath().normalize();

    /// `<!-- file -->` before a code block: the block is in that file.
    private static final Pattern QUOTED =
            Pattern.compile("<!-- (\\S+) -->\\n```(\\w*)\\n(.*?)\\n```", Pattern.DOTALL);

    private static final Pattern SPACE = Pattern.compile("\\s+");

    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#\\s]*)(?:#([^)]*))?\\)");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");
    private static final Pattern TEST = Pattern.compile("`(\\w+(?:Test|IT|Contract))\\.(\\w+)`");

    private static final List<Path> FILES = files();

    static List<Path> documents() {
        return FILES.stream().filter(file -> file.toString().endsWith(".md")).toList();
    }

    @ParameterizedTest
    @MethodSource("documents")
    void aQuotedFile_saysWhatTheDocumentSays(Path document) throws IOException {
        for (var quote : all(QUOTED, Files.readString(document))) {
            var file = ROOT.resolve(quote.group(1));
            assertThat(file).as("quoted in %s", document).exists();
            var isJava = quote.group(2).equals("java");
            assertThat(comparable(Files.readString(file), isJava))
                    .as("%s, quoted in %s", file, document)
                    .contains(comparable(quote.group(3), isJava));
        }
    }

    @ParameterizedTest
    @MethodSource("documents")
    void aLink_leadsToAFile_andToAHeadingOfIt(Path document) throws IOException {
        for (var link : all(LINK, Files.readString(document))) {
            if (link.group(1).contains(":")) {
                continue;
            }
            var target =
                    link.group(1).isEmpty()
                            ? document
                            : document.resolveSibling(link.group(1)).normalize();
            assertThat(target).as("%s, linked in %s", link.group(), document).exists();
            if (link.group(2) != null && target.toString().endsWith(".md")) {
                assertThat(anchors(target))
                        .as("%s, linked in %s", link.group(), document)
                        .contains(link.group(2));
            }
        }
    }

    /// The anchors of the headings of `document`, as GitHub makes them.
    private static List<String> anchors(Path document) throws IOException {
        return all(HEADING, Files.readString(document)).stream()
                .map(heading -> heading.group(1).strip().toLowerCase(Locale.ROOT))
                .map(heading -> heading.replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-'))
                .toList();
    }

    @Test
    void aPromise_hasTheTestsThatItNames() throws IOException {
        var promises = Files.readString(ROOT.resolve("docs/promises.md"));
        var tests = all(TEST, promises);
        assertThat(tests).isNotEmpty();
        for (var test : tests) {
            assertThat(sourcesOf(test.group(1) + ".java"))
                    .as("%s", test.group())
                    .anyMatch(source -> source.contains(" " + test.group(2) + "("));
        }
    }

    /// `docs/images/draw` notes the source with which it drew a picture.
    @Test
    void aPicture_isDrawnFromItsSourceAsItStands() throws Exception {
        var sources = FILES.stream().filter(file -> file.toString().endsWith(".dot")).toList();
        assertThat(sources).isNotEmpty();
        for (var source : sources) {
            var name = source.getFileName().toString();
            var sha256 = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(source));
            assertThat(source.resolveSibling(name.replace(".dot", ".svg")))
                    .as("%s has changed or was never drawn: run docs/images/draw", source)
                    .content()
                    .contains(
                            "drawn from " + name + ", sha256 " + HexFormat.of().formatHex(sha256));
        }
    }

    private static List<MatchResult> all(Pattern pattern, String text) {
        return pattern.matcher(text).results().toList();
    }

    /// Without the space around lines, so that a part of a method can be quoted without its indentation; Java without any
    /// space, so that a document may break its lines elsewhere.
    private static String comparable(String text, boolean isJava) {
        return isJava
                ? SPACE.matcher(text).replaceAll("")
                : String.join("\n", text.lines().map(String::strip).toList());
    }

    private static List<String> sourcesOf(String name) throws IOException {
        var sources = new ArrayList<String>();
        for (var file : FILES) {
            if (file.endsWith(name)) {
                sources.add(Files.readString(file));
            }
        }
        return sources;
    }

    /// What people wrote: no output of a build, nothing hidden.
    private static List<Path> files() {
        var found = new ArrayList<Path>();
        try {
            Files.walkFileTree(
                    ROOT,
                    new SimpleFileVisitor<>() {
                        @Override
                        public FileVisitResult preVisitDirectory(
                                Path folder, BasicFileAttributes attributes) {
                            var name = folder.getFileName().toString();
                            return name.startsWith(".") || name.equals("target")
                                    ? FileVisitResult.SKIP_SUBTREE
                                    : FileVisitResult.CONTINUE;
                        }

                        @Override
                        public FileVisitResult visitFile(
                                Path file, BasicFileAttributes attributes) {
                            found.add(file);
                            return FileVisitResult.CONTINUE;
                        }
                    });
        } catch (IOException e) {
            throw new UncheckedIOException("cannot look for documents in " + ROOT, e);
        }
        return found.stream().sorted().toList();
    }
}
