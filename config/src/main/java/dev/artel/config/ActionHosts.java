package dev.artel.config;

import java.net.InetAddress;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The hosts that a task may reach. One that is named in full may have any address; what a pattern allows has to have a public
/// one, so that no author of a process reaches what only the orchestrator can.
public final class ActionHosts {
    /// No host.
    public static final ActionHosts NONE = new ActionHosts(List.of());

    private static final Pattern ENTRY =
            Pattern.compile(
                    "\\*|(\\*\\.)?[\\p{L}\\p{N}_-]([\\p{L}\\p{N}_.-]*[\\p{L}\\p{N}_-])?(:[0-9]{1,5})?|\\[[0-9a-fA-F:.]+](:[0-9]{1,5})?");

    private final List<String> entries;

    private ActionHosts(List<String> entries) {
        this.entries = entries;
    }

    /// The hosts of a list with commas: `api.example.com`, `localhost:8089`, `*.example.com`, `*`.
    ///
    /// @throws IllegalArgumentException if an entry is none of these
    public static ActionHosts of(String list) {
        var entries =
                Stream.of(list.split(","))
                        .map(entry -> entry.strip().toLowerCase(Locale.ROOT))
                        .filter(entry -> !entry.isEmpty())
                        .toList();
        for (var entry : entries) {
            if (!ENTRY.matcher(entry).matches() || entry.contains("..")) {
                throw new IllegalArgumentException(
                        "must be hosts such as api.example.com, localhost:8089, *.example.com or *,"
                                + " with commas between them, one was '"
                                + entry
                                + "'");
            }
        }
        return new ActionHosts(entries);
    }

    /// Whether `host` may be asked for, whatever its address.
    ///
    /// @param port that of the URL, or of its scheme
    public boolean allow(String host, int port) {
        return isNamed(host, port) || entries.stream().anyMatch(entry -> isLike(entry, host, port));
    }

    /// Why `address` of `host` must not be connected to; empty if it may. An entry with a port names that port alone in full.
    public Optional<String> problem(String host, int port, InetAddress address) {
        return PublicAddresses.contain(address) || isNamed(host, port)
                ? Optional.empty()
                : Optional.of(
                        "its address is not public; an operator may name it in full, with this port or without one, in actions.http-hosts");
    }

    /// Whether an entry has `host` in full, and `port`.
    public boolean haveWithPort(String host, int port) {
        return entries.contains(lower(host) + ":" + port);
    }

    private boolean isNamed(String host, int port) {
        return entries.contains(lower(host)) || entries.contains(lower(host) + ":" + port);
    }

    private static boolean isLike(String entry, String host, int port) {
        if (entry.equals("*")) {
            return true;
        }
        var name = nameOf(entry);
        return name.startsWith("*.")
                && lower(host).endsWith(name.substring(1))
                && (name.equals(entry) || entry.equals(name + ":" + port));
    }

    private static String nameOf(String entry) {
        return entry.replaceFirst(":[0-9]{1,5}$", "");
    }

    private static String lower(String host) {
        return host.toLowerCase(Locale.ROOT);
    }

    /// The entries, with commas.
    @Override
    public String toString() {
        return entries.isEmpty() ? "none" : String.join(", ", entries);
    }
}
