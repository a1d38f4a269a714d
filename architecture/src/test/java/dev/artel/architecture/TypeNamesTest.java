package dev.artel.architecture;

import static dev.artel.architecture.WrittenFiles.ROOT;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// Who searches for a type by its simple name finds one, but for the names of `type-names.txt`.
final class TypeNamesTest {
    private static final String LIST = "architecture/src/test/resources/type-names.txt";

    private static final Path SOURCES = Path.of("src", "main", "java");

    private static final Set<String> NO_TYPES = Set.of("package-info.java", "module-info.java");

    @Test
    void eachTopLevelTypeOfMainCode_hasASimpleNameOfItsOwn_butForThoseOfTheList()
            throws IOException {
        var packages = packagesByName();
        assertThat(packages).hasSizeGreaterThan(1000);

        assertThat(problems(packages, listed(Files.readAllLines(ROOT.resolve(LIST))))).isEmpty();
    }

    @Test
    void aSecondTypeOfAName_isReportedWithBothPackages() {
        assertThat(problems(found("Job", "a", "b", "Step", "a"), listed(List.of())))
                .containsExactly(
                        "Job is in [a, b]: give one of them another name, or list it in "
                                + LIST
                                + " with the reason");
    }

    @Test
    void aThirdTypeOfAListedName_isReported() {
        assertThat(problems(found("Job", "a", "b", "c"), listed(List.of("Job: a, b -> an API"))))
                .containsExactly("Job is in [a, b, c], and " + LIST + " has [a, b]: correct it");
    }

    @Test
    void aListedName_thatStandsOnceOrNowhere_isReported() {
        var list = listed(List.of("# about", "", "Job: a, b -> an API", "Step: a, b -> an API"));

        assertThat(problems(found("Job", "a"), list))
                .containsExactly(
                        "Job is in [a], and " + LIST + " has [a, b]: correct it",
                        "Step is in [], and " + LIST + " has [a, b]: correct it");
    }

    /// A name, and the packages behind it.
    private static SortedMap<String, SortedSet<String>> found(String... words) {
        var found = new TreeMap<String, SortedSet<String>>();
        var name = "";
        for (var word : words) {
            if (Character.isUpperCase(word.charAt(0))) {
                name = word;
            } else {
                found.computeIfAbsent(name, _ -> new TreeSet<>()).add(word);
            }
        }
        return found;
    }

    /// One line for each name, `Name: package, package -> reason`; `#` begins a comment.
    private static SortedMap<String, SortedSet<String>> listed(List<String> lines) {
        return lines.stream()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .map(line -> line.split(": | -> ", 3))
                .peek(parts ->
                        assertThat(parts).as("\"Name: package, package -> reason\"").hasSize(3))
                .collect(
                        Collectors.toMap(
                                parts -> parts[0],
                                parts -> new TreeSet<>(List.of(parts[1].split(", ", -1))),
                                (_, second) -> second,
                                TreeMap::new));
    }

    private static List<String> problems(
            SortedMap<String, SortedSet<String>> packages,
            SortedMap<String, SortedSet<String>> listed) {
        var names = new TreeSet<>(listed.keySet());
        packages.forEach((name, in) -> {
            if (in.size() > 1) {
                names.add(name);
            }
        });
        return names.stream()
                .filter(name -> !in(packages, name).equals(in(listed, name)))
                .map(name -> problem(name, in(packages, name), in(listed, name)))
                .toList();
    }

    private static SortedSet<String> in(SortedMap<String, SortedSet<String>> all, String name) {
        return all.getOrDefault(name, new TreeSet<>());
    }

    private static String problem(String name, SortedSet<String> found, SortedSet<String> listed) {
        return listed.isEmpty()
                ? "%s is in %s: give one of them another name, or list it in %s with the reason"
                        .formatted(name, found, LIST)
                : "%s is in %s, and %s has %s: correct it".formatted(name, found, LIST, listed);
    }

    /// Simple name to packages, of all files of main code that have a type.
    private static SortedMap<String, SortedSet<String>> packagesByName() {
        var found = new TreeMap<String, SortedSet<String>>();
        var types = WrittenFiles.named(name -> name.endsWith(".java") && !NO_TYPES.contains(name));
        for (var file : types) {
            var folder = ROOT.relativize(file.getParent()).toString();
            var sources = folder.indexOf(SOURCES.toString());
            if (sources >= 0) {
                var name = file.getFileName().toString();
                found.computeIfAbsent(
                                name.substring(0, name.length() - ".java".length()),
                                _ -> new TreeSet<>())
                        .add(packageOf(folder, sources + SOURCES.toString().length() + 1));
            }
        }
        return found;
    }

    private static String packageOf(String folder, int begin) {
        return begin > folder.length()
                ? ""
                : folder.substring(begin).replace(java.io.File.separatorChar, '.');
    }
}
