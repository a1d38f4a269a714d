package dev.artel.e2e.chaos;

import dev.artel.kernel.attempt.LeaseToken;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// What the workers wrote down: which hand-outs of which job they began, and which worker each of them.
///
/// @param byJob the effects of each job
record Effects(Map<String, Set<Effect>> byJob) {
    private static final String FILE = "effects-";

    /// One effect.
    ///
    /// @param task whose effect it is
    /// @param token with which the task was handed out; unique per lease
    /// @param worker that began it
    record Effect(int task, LeaseToken token, String worker) {
        /// What history names the lease by: job, task and attempt.
        String handOut() {
            return token.handOut();
        }
    }

    /// Reads all files `effects-WORKER` of `folder`.
    static Effects read(Path folder, Findings findings) throws IOException {
        var effects = new Effects(new HashMap<>());
        try (var files = Files.newDirectoryStream(folder, FILE + "*")) {
            for (var file : files) {
                var worker = file.getFileName().toString().substring(FILE.length());
                for (var line : Files.readAllLines(file)) {
                    effects.add(line, worker, findings);
                }
            }
        }
        return effects;
    }

    private void add(String line, String worker, Findings findings) {
        var text = line.split(" ", 2)[0];
        var token = text.isEmpty() ? null : new LeaseToken(text);
        var address = token == null ? null : token.address().orElse(null);
        if (token == null || address == null || token.handOut().isEmpty()) {
            findings.add("a worker was handed out something that names no job: '" + line + "'");
            return;
        }
        byJob.computeIfAbsent(address.job().value(), _ -> new HashSet<>())
                .add(new Effect(address.task(), token, worker));
    }

    /// The effects of a job.
    Set<Effect> of(String job) {
        return byJob.getOrDefault(job, Set.of());
    }

    /// How many hand-outs each worker began; without those that began none.
    Map<String, Long> byWorker() {
        return byJob.values().stream()
                .flatMap(Set::stream)
                .collect(
                        Collectors.groupingBy(Effect::worker, TreeMap::new, Collectors.counting()));
    }

    /// How many hand-outs were begun.
    int size() {
        return byJob.values().stream().mapToInt(Set::size).sum();
    }
}
