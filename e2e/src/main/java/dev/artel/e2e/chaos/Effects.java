package dev.artel.e2e.chaos;

import dev.artel.kernel.attempt.LeaseToken;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/// What the workers wrote down: which hand-outs of which task of which job they began.
///
/// @param handOuts the ids of hand-outs, by job and task
record Effects(Map<String, Map<Integer, Set<String>>> handOuts) {
    /// Reads all files `effects-*` of `folder`.
    static Effects read(Path folder, Findings findings) throws IOException {
        var effects = new Effects(new HashMap<>());
        try (var files = Files.newDirectoryStream(folder, "effects-*")) {
            for (var file : files) {
                for (var line : Files.readAllLines(file)) {
                    effects.add(line, findings);
                }
            }
        }
        return effects;
    }

    private void add(String line, Findings findings) {
        var token = line.split(" ", 2)[0];
        var address = token.isEmpty() ? null : new LeaseToken(token).address().orElse(null);
        if (address == null) {
            findings.add("a worker was handed out something that names no job: '" + line + "'");
            return;
        }
        handOuts.computeIfAbsent(address.job().value(), _ -> new HashMap<>())
                .computeIfAbsent(address.task(), _ -> new HashSet<>())
                .add(token);
    }

    /// The hand-outs of a job, by task.
    Map<Integer, Set<String>> of(String job) {
        return handOuts.getOrDefault(job, Map.of());
    }

    /// How many hand-outs were begun.
    int size() {
        return handOuts.values().stream()
                .flatMap(tasks -> tasks.values().stream())
                .mapToInt(Set::size)
                .sum();
    }
}
