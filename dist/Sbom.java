import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// The list of contents of a release (CycloneDX), run from its source with the jars of the release:
///
/// - `complete SBOM VENDOR.md JAVA FOLDER...` leaves of what Maven lists what is in the folders, adds the files of npm packages
///   and the Java runtime, and fails if a jar of one of the folders is not in it;
/// - `check SBOM KNOWN` fails if a component has a vulnerability that the file `KNOWN` lists.
final class Sbom {
    private static final Pattern VENDORED =
            Pattern.compile(
                    "\\| `([^`]+)` \\| `([^`]+)` \\| ([\\d.]+) \\| `[^`]+` \\| ([\\w.-]+) \\|.*`([0-9a-f]{64})` \\|");
    private static final Pattern PARTS = Pattern.compile("\\d+|[A-Za-z]+");
    private static final Pattern CONDITION = Pattern.compile("(<=|>=|<|>|=)(\\S+)");
    private static final Pattern RELEASE = Pattern.compile("(?i)final|ga|release");

    private Sbom() {}

    public static void main(String[] arguments) throws Exception {
        var file = Path.of(arguments[1]);
        if (!(JsonText.read(Files.readAllBytes(file)) instanceof JsonObject sbom)) {
            throw new IllegalArgumentException(file + " is no object");
        }
        var problems =
                arguments[0].equals("complete")
                        ? complete(file, sbom, arguments)
                        : vulnerable(sbom, Path.of(arguments[2]));
        problems.forEach(problem -> System.err.println("artel: " + problem));
        System.exit(problems.isEmpty() ? 0 : 1);
    }

    private static List<String> complete(Path file, JsonObject sbom, String[] arguments)
            throws Exception {
        var jars = new HashMap<String, Path>();
        for (var folder : List.of(arguments).subList(4, arguments.length)) {
            try (var all = Files.newDirectoryStream(Path.of(folder), "*.jar")) {
                all.forEach(jar -> jars.put(jar.getFileName().toString(), jar));
            }
        }
        var missing = new TreeMap<>(jars);
        var components = new ArrayList<JsonValue>();
        for (var each : sbom.array("components").orElseThrow().values()) {
            // What Maven lists is also what its modules need to be built.
            var component = (JsonObject) each;
            var name = component.string("name").orElseThrow() + "-" + component.string("version").orElseThrow() + ".jar";
            if (jars.containsKey(name)) {
                missing.remove(name);
                components.add(component);
            }
        }
        VENDORED.matcher(Files.readString(Path.of(arguments[2])))
                .results()
                .map(row ->
                        component("library", row.group(2), row.group(3), "pkg:npm/" + row.group(2).replace("@", "%40") + "@" + row.group(3), row.group(1))
                                .with("licenses", license(row.group(4)))
                                .with("hashes", sha256(row.group(5))))
                .forEach(components::add);
        components.add(component("platform", "openjdk", arguments[3], "pkg:generic/openjdk@" + arguments[3], "runtime"));
        var references = new HashSet<String>();
        components.forEach(each -> references.add(((JsonObject) each).string("bom-ref").orElseThrow()));
        sbom.object("metadata").flatMap(it -> it.object("component")).flatMap(it -> it.string("bom-ref")).ifPresent(references::add);
        var dependencies = new ArrayList<JsonValue>();
        for (var each : sbom.array("dependencies").orElseThrow().values()) {
            var dependency = (JsonObject) each;
            if (references.contains(dependency.string("ref").orElseThrow())) {
                var on = dependency.array("dependsOn").orElse(JsonArray.EMPTY).values().stream()
                        .filter(it -> it instanceof JsonString(var text) && references.contains(text))
                        .toList();
                dependencies.add(dependency.with("dependsOn", new JsonArray(on)));
            }
        }
        Files.write(
                file,
                JsonText.write(sbom.with("components", new JsonArray(components)).with("dependencies", new JsonArray(dependencies))));
        return missing.values().stream().map(jar -> jar + " is not in " + file.getFileName()).toList();
    }

    private static JsonObject component(String type, String name, String version, String purl, String part) {
        return JsonObject.of("type", JsonValue.of(type), "bom-ref", JsonValue.of(purl + "#" + part))
                .with("name", JsonValue.of(name))
                .with("version", JsonValue.of(version))
                .with("purl", JsonValue.of(purl));
    }

    private static JsonValue license(String id) {
        return new JsonArray(
                List.of(JsonObject.of("license", JsonObject.of("id", JsonValue.of(id)))));
    }

    private static JsonValue sha256(String content) {
        return new JsonArray(
                List.of(JsonObject.of("alg", JsonValue.of("SHA-256"), "content", JsonValue.of(content))));
    }

    private static List<String> vulnerable(JsonObject sbom, Path known) throws IOException {
        var problems = new ArrayList<String>();
        var number = 0;
        for (var line : Files.readAllLines(known)) {
            number++;
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            var words = line.strip().split("\\s+", 3);
            if (words.length < 3 || !words[1].startsWith("pkg:")) {
                problems.add(known + ":" + number + " is not ADVISORY PACKAGE VERSIONS");
                continue;
            }
            for (var component : sbom.array("components").orElseThrow().values()) {
                var purl = ((JsonObject) component).string("purl").orElse("").replaceFirst("\\?.*", "");
                var at = purl.lastIndexOf('@');
                if (at > 0
                        && purl.substring(0, at).replace("%40", "@").equals(words[1].replace("%40", "@"))
                        && isAffected(purl.substring(at + 1), words[2])) {
                    problems.add(
                            purl + " has " + words[0] + " (" + known + ":" + number + ", " + words[2]
                                    + "); take a version without it");
                }
            }
        }
        return problems;
    }

    private static boolean isAffected(String version, String ranges) {
        return Pattern.compile("\\|\\|").splitAsStream(ranges).anyMatch(range -> {
            var conditions = CONDITION.matcher(range).results().toList();
            if (conditions.isEmpty() || !CONDITION.matcher(range).replaceAll("").isBlank()) {
                throw new IllegalArgumentException("'" + range + "' is no range such as >=1.2 <1.3.4");
            }
            return conditions.stream().allMatch(it -> {
                var order = compare(version, it.group(2));
                return switch (it.group(1)) {
                    case "<" -> order < 0;
                    case "<=" -> order <= 0;
                    case ">" -> order > 0;
                    case ">=" -> order >= 0;
                    default -> order == 0;
                };
            });
        });
    }

    /// Numbers by their value; a word such as `beta` comes before the release without it.
    private static int compare(String one, String other) {
        var ones = parts(one);
        var others = parts(other);
        for (var i = 0; i < Math.max(ones.size(), others.size()); i++) {
            var order = compareParts(i < ones.size() ? ones.get(i) : "0", i < others.size() ? others.get(i) : "0");
            if (order != 0) {
                return order;
            }
        }
        return 0;
    }

    private static List<String> parts(String version) {
        return PARTS.matcher(version).results().map(it -> it.group()).filter(it -> !RELEASE.matcher(it).matches()).toList();
    }

    private static int compareParts(String one, String other) {
        var isNumber = Character.isDigit(one.charAt(0));
        var isOtherNumber = Character.isDigit(other.charAt(0));
        if (isNumber && isOtherNumber) {
            return new java.math.BigInteger(one).compareTo(new java.math.BigInteger(other));
        }
        return isNumber == isOtherNumber ? Comparator.<String>naturalOrder().compare(one, other) : isNumber ? 1 : -1;
    }
}
