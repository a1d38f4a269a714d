package dev.artel.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Scanner;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ForeignPatternsTest {
    @Test
    void expressionsThatAreNoConstants_areFound_alsoByReference() throws Exception {
        assertThat(found(Foreign.class))
                .containsExactlyInAnyOrder(
                        "compiled calls Pattern.compile",
                        "compiledWithFlags calls Pattern.compile",
                        "matched calls Pattern.matches",
                        "matching calls String.matches",
                        "replaced calls String.replaceAll",
                        "replacedByOneOfTwo calls String.replaceFirst",
                        "parts calls String.split",
                        "partsOfAChosenOne calls String.split",
                        "joined calls Pattern.compile",
                        "ofAField calls Pattern.compile",
                        "reference refers to Pattern::compile",
                        "scanned calls Scanner.useDelimiter",
                        "glob calls FileSystem.getPathMatcher",
                        "listed calls Files.newDirectoryStream");
    }

    @Test
    void constants_areLeftAlone_whateverTheOtherValuesAre() throws Exception {
        assertThat(found(Own.class)).isEmpty();
    }

    /// Trap: the text is short, and a few thousand parts of it end the thread that matches it.
    @Test
    void constantsThatRepeatAGroupWithoutEnd_areFound() throws Exception {
        assertThat(found(Repeating.class))
                .containsExactlyInAnyOrder(
                        "list repeats a group in Pattern.compile",
                        "matching repeats a group in String.matches",
                        "atLeast repeats a group in String.replaceAll");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a(,a)*",
                "(?:a|b)+",
                "(a)*?",
                "(a){2,}",
                "(a){0,5000}",
                "[)](a)*",
                "[^]](a)+",
                "[a[b]](a)+",
                "\\\\(a)*",
                "\\Q(\\E(a)*"
            })
    void aGroupThatIsRepeated_isFound(String expression) {
        assertThat(RepeatedGroups.areIn(expression)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a(,a)*+",
                "(?:a|b)++",
                "(a)?",
                "(a){2}",
                "(a){2,50}",
                "(a)b*",
                "[()*]+",
                "[^)*+]*",
                "[])*]",
                "\\(a\\)*",
                "\\Q(a)*\\E"
            })
    void whatIsMatchedInALoop_orHasAnEnd_isLeftAlone(String expression) {
        assertThat(RepeatedGroups.areIn(expression)).isFalse();
    }

    private static List<String> found(Class<?> type) throws URISyntaxException {
        var classes = Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
        return ForeignPatterns.of(classes.resolve(type.getName().replace('.', '/') + ".class"))
                .stream()
                .map(line -> line.substring(type.getName().length() + 1))
                .toList();
    }

    @SuppressWarnings({"unused", "StreamResourceLeak"})
    private static final class Foreign {
        private static final String LATER = String.valueOf(new char[] {'a'});

        Object compiled(String foreign) {
            return Pattern.compile(foreign);
        }

        Object compiledWithFlags(String foreign) {
            return Pattern.compile(foreign, Pattern.DOTALL | foreign.length());
        }

        boolean matched(String foreign) {
            return Pattern.matches(foreign, "constant");
        }

        boolean matching(String foreign) {
            return "constant".matches(foreign);
        }

        String replaced(String foreign) {
            return "constant".replaceAll(foreign, "constant");
        }

        String replacedByOneOfTwo(String foreign) {
            return foreign.replaceFirst(foreign, foreign.isEmpty() ? "a" : "b");
        }

        String[] parts(String foreign) {
            return "constant".split(foreign, -1);
        }

        String[] partsOfAChosenOne(String foreign) {
            return foreign.split(foreign.isEmpty() ? foreign : ",", -1);
        }

        Object joined(String foreign) {
            return Pattern.compile("a+" + foreign);
        }

        Object ofAField() {
            return Pattern.compile(LATER);
        }

        Object reference(List<String> foreign) {
            return foreign.stream().map(Pattern::compile).toList();
        }

        Object scanned(Scanner scanner, String foreign) {
            return scanner.useDelimiter(foreign);
        }

        Object glob(String foreign) {
            return FileSystems.getDefault().getPathMatcher("glob:" + foreign);
        }

        Object listed(Path folder, Path file) throws IOException {
            return Files.newDirectoryStream(folder, file.getFileName() + ".*");
        }
    }

    @SuppressWarnings("unused")
    private static final class Repeating {
        private static final String PART = "[a-z]";

        Object list() {
            return Pattern.compile(PART + "(," + PART + ")*");
        }

        boolean matching(String foreign) {
            return foreign.matches("(/[a-z]+)+");
        }

        String atLeast(String foreign) {
            return foreign.replaceAll("(ab|c){2,}", "");
        }

        String[] inALoop(String foreign) {
            return foreign.split("a(,a)*+");
        }
    }

    @SuppressWarnings({"unused", "StreamResourceLeak"})
    private static final class Own {
        private static final String PART = "[a-z]";
        private static final Pattern WHOLE = Pattern.compile(PART + "+" + PART);

        Object own(String foreign, long[] counts, double amount) {
            return Stream.of(
                    foreign.matches("a+"),
                    foreign.replaceAll("a+", foreign + counts[foreign.length()] * 2L + -amount),
                    foreign.replaceFirst(PART, new ArrayList<>(List.of(foreign)).getFirst()),
                    foreign.split(File.pathSeparator, counts.length),
                    Pattern.compile("a", foreign.length() | Pattern.DOTALL),
                    WHOLE.matcher(foreign).replaceAll(foreign),
                    List.of(1).stream().map(Object::toString).toList());
        }

        Object listed(Path folder, String foreign) throws IOException {
            return List.of(
                    Files.newDirectoryStream(folder, "*.jar"),
                    Files.newDirectoryStream(folder, file -> file.endsWith(foreign)));
        }

        Function<String, Object> other() {
            return String::strip;
        }

        String[] unrelated(Own other, String foreign) {
            return other.split(foreign);
        }

        private String[] split(String foreign) {
            return new String[] {foreign};
        }
    }
}
