package dev.artel.access;

import dev.artel.json.JsonObject;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/// The tables of a TOML file whose keys others know.
public final class TomlDocument {
    private final TomlTables file;
    private final SequencedMap<String, JsonObject> tables = new LinkedHashMap<>();

    private TomlDocument(Path path) {
        file = TomlTables.read(path, table -> tables.put(table.name(), table.fields()));
    }

    /// Reads `file`.
    public static TomlDocument read(Path file) {
        return new TomlDocument(file);
    }

    /// The tables by name, in their order.
    public SequencedMap<String, JsonObject> tables() {
        return Collections.unmodifiableSequencedMap(tables);
    }

    /// For which the file cannot be used.
    public List<String> problems() {
        return List.copyOf(file.problems());
    }

    /// The name of the file and the line of `path`: `schedules.toml:12`.
    ///
    /// @param path of a table or a key, such as `nightly.cron`
    public String place(String path) {
        return file.place(path);
    }
}
