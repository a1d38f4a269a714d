package dev.artel.gateway.access;

import java.util.List;
import java.util.stream.Stream;

/// Names that a setting allows: each in full, or by how they begin with a `*` behind it; `*` alone stands for all. Immutable.
public final class NamePatterns {
    /// All names.
    public static final NamePatterns ALL = new NamePatterns(List.of("*"));

    private final List<String> entries;

    private NamePatterns(List<String> entries) {
        this.entries = entries;
    }

    /// The names of a list with commas, such as `resize, photo_*`.
    ///
    /// @throws IllegalArgumentException if there is none, or one has a `*` elsewhere than at its end
    public static NamePatterns of(String list) {
        var entries =
                Stream.of(list.split(",", -1))
                        .map(String::strip)
                        .filter(entry -> !entry.isEmpty())
                        .toList();
        for (var entry : entries) {
            if (entry.indexOf('*') >= 0 && entry.indexOf('*') < entry.length() - 1) {
                throw new IllegalArgumentException(
                        "must be names, or how they begin with a * behind it, such as resize, photo_*; one was '"
                                + entry
                                + "'");
            }
        }
        if (entries.isEmpty()) {
            throw new IllegalArgumentException(
                    "must be at least one name, such as resize, photo_* or *, was '" + list + "'");
        }
        return new NamePatterns(entries);
    }

    /// Whether an entry stands for `name`.
    public boolean include(String name) {
        return entries.stream()
                .anyMatch(entry ->
                        entry.endsWith("*")
                                ? name.startsWith(entry.substring(0, entry.length() - 1))
                                : entry.equals(name));
    }

    /// Whether an entry is `name` itself, and not only how it begins.
    public boolean nameInFull(String name) {
        return entries.contains(name);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof NamePatterns patterns && patterns.entries.equals(entries);
    }

    @Override
    public int hashCode() {
        return entries.hashCode();
    }

    /// The entries, with commas.
    @Override
    public String toString() {
        return String.join(", ", entries);
    }
}
