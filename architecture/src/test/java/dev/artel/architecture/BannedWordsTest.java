package dev.artel.architecture;

import static dev.artel.architecture.WrittenFiles.ROOT;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// No file of the repository has a word of `banned-words.txt`.
final class BannedWordsTest {
    private static final Path LIST =
            ROOT.resolve("architecture/src/test/resources/banned-words.txt");

    /// These have the words as examples, or are not ours.
    private static final Set<String> ABOUT_WORDS =
            Set.of(
                    "banned-words.txt",
                    "openapi-3.1-schema.json",
                    "BannedWordsTest.java",
                    "BannedWord.java",
                    "mvnw");

    private static final Set<String> READ =
            Set.of(
                    ".java",
                    ".md",
                    ".html",
                    ".py",
                    ".sh",
                    ".properties",
                    ".yaml",
                    ".dot",
                    ".sql",
                    ".json",
                    ".xml",
                    ".js",
                    ".css",
                    ".toml");

    /// Sources of programs.
    private static final Set<String> CODE = Set.of(".java", ".py", ".sh", ".js");

    @Test
    void sourcesAndDocuments_haveNoBannedWord() throws IOException {
        var words = BannedWord.read(Files.readAllLines(LIST));
        assertThat(words).isNotEmpty();
        var files = files();
        assertThat(files).hasSizeGreaterThan(1000);

        var found = new ArrayList<String>();
        for (var file : files) {
            found.addAll(found(words, ROOT.relativize(file).toString(), Files.readString(file)));
        }

        assertThat(found)
                .as("words that architecture/src/test/resources/banned-words.txt bans")
                .isEmpty();
    }

    @Test
    void aBannedWord_isReportedWithFileLineAndWhatToWrite() {
        var words = BannedWord.read(List.of("# about", "is told -> is notified"));

        assertThat(found(words, "A.java", "class A {}\n/// It is\n/// told."))
                .containsExactly("A.java:2: \"is told\", write: is notified");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    usual    | /// the usual rate
                    usual    | var s = "as Usual";
                    is told  | void aWorker_isTold_ofIt() {
                    is told  | void aWorkerIsToldOfIt() {
                    for ever | void itWaitsForEver() {
                    Strand   | new MainStrand();
                    Strand   | StrandOpened e;
                    """)
    void aWord_isFound_whereAReaderMeetsIt(String word, String source) {
        assertThat(found(List.of(new BannedWord(word, "another")), "A.java", source)).hasSize(1);
    }

    /// Trap: a private word comes back as the name of a variable, which is no prose.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    told     | void ask(Consumer<Reply> told) {
                    told     | boolean isTold;
                    told     | NOT_TOLD,
                    told     | /// It was told so.
                    tell     | mailbox.tell(item);
                    news     | private boolean hasNews() {
                    ticket   | long lastTicket;
                    patience | Duration PATIENCE_MILLIS = 3;
                    """)
    void aWordOfCode_isFoundInIdentifiers(String word, String source) {
        var banned = List.of(new BannedWord(word, "another", true));

        assertThat(found(banned, "A.java", source)).hasSize(1);
        assertThat(found(banned, "a.py", source)).hasSize(1);
        assertThat(found(banned, "a.md", source)).isEmpty();
    }

    /// Trap: a program without a suffix keeps the words that all others have lost.
    @Test
    void programsWithoutASuffix_areRead() throws IOException {
        var names = files().stream().map(file -> ROOT.relativize(file).toString()).toList();
        var banned = List.of(new BannedWord("patience", "timeout", true));

        assertThat(names)
                .contains("artel", ".ci/run", "dist/try")
                .doesNotContain("LICENSE", "mvnw");
        assertThat(found(banned, ".ci/run", "PATIENCE=3")).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    0 | record Said(long id) {}
                    0 | new SessionInput.Said(1);
                    1 | record SaidLater(long id) {}
                    1 | var said = 1;
                    """)
    void namesThatStay_mayHaveAWordOfCode(int times, String source) {
        var banned = BannedWord.read(List.of("code:said except Said, SaidResults -> reported"));

        assertThat(found(banned, "A.java", source)).hasSize(times);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    news | /// A worker renews its leases.
                    news | var renews = aNewStore;
                    news | RENEWS, NEWSIZE
                    tell | /// intelligent, satellite
                    """)
    void anotherWordOfCode_isLeftAlone(String word, String source) {
        assertThat(found(List.of(new BannedWord(word, "another", true)), "A.java", source))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    usual    | /// unusual, usually
                    usual    | var usual = 1;
                    usual    | /// @param usual the default
                    for ever | /// forever, for every
                    for ever | void itWaitsForever_forEvery() {
                    Strand   | /// a strand, Strands
                    """)
    void anotherWord_isLeftAlone(String word, String source) {
        assertThat(found(List.of(new BannedWord(word, "another")), "A.java", source)).isEmpty();
    }

    private static List<String> found(List<BannedWord> words, String file, String text) {
        var lowerCase = text.toLowerCase(Locale.ROOT);
        var isCode = CODE.stream().anyMatch(file::endsWith) || !hasSuffix(file);
        var possible =
                words.stream()
                        .filter(word -> isCode || !word.inCode())
                        .filter(word -> word.mayBeIn(lowerCase))
                        .toList();
        if (possible.isEmpty()) {
            return List.of();
        }
        var all = Prose.unwrapped(text);
        var prose = file.endsWith(".java") ? Prose.unwrapped(Prose.ofJava(text)) : all;
        var found = new ArrayList<String>();
        for (var word : possible) {
            var searched = word.isName() || word.inCode() ? all : prose;
            var match = word.pattern().matcher(searched);
            while (match.find()) {
                if (word.allows(searched, match.start(), match.end())) {
                    continue;
                }
                var line =
                        1
                                + text.substring(0, match.start())
                                        .chars()
                                        .filter(it -> it == '\n')
                                        .count();
                found.add(
                        "%s:%d: \"%s\", write: %s"
                                .formatted(file, line, word.word(), word.instead()));
            }
        }
        return found;
    }

    /// What people wrote: no output of a build, nothing hidden, nothing that is not UTF-8 text.
    private static List<Path> files() {
        var named =
                WrittenFiles.named(name ->
                        READ.stream().anyMatch(name::endsWith) && !ABOUT_WORDS.contains(name));
        var scripts =
                WrittenFiles.scripts().stream()
                        .filter(file -> !ABOUT_WORDS.contains(file.getFileName().toString()));
        return Stream.concat(named.stream(), scripts).toList();
    }

    private static boolean hasSuffix(String file) {
        return file.substring(file.lastIndexOf('/') + 1).contains(".");
    }
}
