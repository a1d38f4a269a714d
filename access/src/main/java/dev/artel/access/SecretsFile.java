package dev.artel.access;

import dev.artel.config.ActionHosts;
import dev.artel.config.NamedSecret;
import dev.artel.kernel.placement.SecretUse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;

/// Reads `secrets.toml`: a table for each secret that cards may name, with its value, or the file that has it, and the hosts to which
/// it may go. No message shows a value.
public final class SecretsFile {
    /// Its name in the data folder.
    public static final String NAME = "secrets.toml";

    private static final List<String> KEYS = List.of("value", "file", "hosts");
    private static final int LARGEST = 128 << 10;

    private SecretsFile() {}

    /// What reading it came to.
    ///
    /// @param secrets by name, in the order of the file
    /// @param problems for which it cannot be used
    public record Reading(
            SequencedMap<String, NamedSecret> secrets,
            List<String> problems,
            List<String> warnings) {}

    /// The secrets of `file`; none if it is certain that there is no such file.
    public static Reading readIfThere(Path file) {
        return Files.notExists(file)
                ? new Reading(Collections.emptySortedMap(), List.of(), List.of())
                : read(file);
    }

    /// The secrets of `file`, which has to be there.
    public static Reading read(Path file) {
        var secrets = new LinkedHashMap<String, NamedSecret>();
        if (Files.notExists(file)) {
            return new Reading(
                    secrets,
                    List.of(
                            "there is no file "
                                    + file
                                    + " with secrets; put it back, or an empty one where there are none"),
                    List.of());
        }
        var tables =
                TomlTables.read(
                        file,
                        table ->
                                secret(table, file)
                                        .ifPresent(secret -> secrets.put(secret.name(), secret)));
        return new Reading(
                Collections.unmodifiableSequencedMap(secrets),
                List.copyOf(tables.problems()),
                List.copyOf(tables.warnings()));
    }

    private static Optional<NamedSecret> secret(TomlTables.Table table, Path of) {
        if (!SecretUse.isName(table.name())) {
            table.problem("", ": the name of a secret has 1 to 100 letters, digits, '-' and '_'");
        }
        var hosts = hosts(table);
        var value = value(table, of);
        table.warnOfOthersThan(KEYS);
        return value.flatMap(text -> hosts.map(to -> new NamedSecret(table.name(), text, to)));
    }

    private static Optional<ActionHosts> hosts(TomlTables.Table table) {
        var list = table.texts("hosts");
        if (list.isEmpty()) {
            if (!table.fields().has("hosts")) {
                table.problem(
                        "",
                        " must have hosts, to which it may go, such as hosts = [\"api.example.com\"]");
            }
            return Optional.empty();
        }
        try {
            return Optional.of(ActionHosts.of(String.join(",", list)));
        } catch (IllegalArgumentException wrong) {
            table.problem(".hosts", " " + wrong.getMessage());
            return Optional.empty();
        }
    }

    private static Optional<String> value(TomlTables.Table table, Path of) {
        if (table.fields().has("value") == table.fields().has("file")) {
            table.problem("", " must have either value, or the file that has it");
            return Optional.empty();
        }
        var isInFile = table.fields().has("file");
        var value =
                isInFile
                        ? table.text("file").flatMap(name -> content(table, of, name))
                        : table.text("value");
        var fits = value.filter(NamedSecret::isValue);
        if (value.isPresent() && fits.isEmpty()) {
            table.problem(
                    isInFile ? ".file" : ".value",
                    " must have "
                            + NamedSecret.SHORTEST
                            + " to 65536 characters, no control characters, and no blanks at its ends");
        }
        return fits;
    }

    private static Optional<String> content(TomlTables.Table table, Path of, String name) {
        var file = of.resolveSibling(name);
        try {
            if (Files.size(file) > LARGEST) {
                table.problem(".file", ": " + file + " is larger than any secret");
                return Optional.empty();
            }
            // Editors and `echo` end a file with a line end.
            return Optional.of(Files.readString(file).replaceFirst("\\R\\z", ""));
        } catch (IOException broken) {
            table.problem(".file", ": cannot read " + file + " (" + broken + ")");
            return Optional.empty();
        }
    }
}
