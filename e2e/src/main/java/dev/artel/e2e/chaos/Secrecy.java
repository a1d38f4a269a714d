package dev.artel.e2e.chaos;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/// Looks through all that clients get for what belongs to others: the ids of their jobs, and words that only their data have.
/// Safe for use by many threads.
final class Secrecy {
    private static final Pattern JOB_ID =
            Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");

    private final Map<String, String> owners = new ConcurrentHashMap<>();
    private final List<String> clients;
    private final Findings findings;

    /// @param clients those who must not see anything of each other
    Secrecy(List<String> clients, Findings findings) {
        this.clients = List.copyOf(clients);
        this.findings = findings;
    }

    /// A word that is in the data of all jobs of `client` and nowhere else.
    static String markOf(String client) {
        return "private-mark-of-" + client;
    }

    /// From now on others must not see `job`.
    void owns(String client, String job) {
        owners.put(job, client);
    }

    /// Looks at what `client` was answered to a request for `path`. What it asked for by name may be in the answer.
    void look(String client, String path, String answer) {
        for (var other : clients) {
            if (!other.equals(client) && answer.contains(markOf(other))) {
                findings.add(client + " saw data of " + other + " at " + withoutIds(path));
            }
        }
        var ids = JOB_ID.matcher(answer);
        while (ids.find()) {
            var owner = owners.get(ids.group());
            if (owner != null && !owner.equals(client) && !path.contains(ids.group())) {
                findings.add(
                        client + " saw the id of a job of " + owner + " at " + withoutIds(path));
            }
        }
    }

    private static String withoutIds(String path) {
        return JOB_ID.matcher(path).replaceAll("{id}");
    }
}
