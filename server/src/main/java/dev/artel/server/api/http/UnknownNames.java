package dev.artel.server.api.http;

import java.util.Collection;
import java.util.List;
import java.util.Optional;

/// Reports names in requests that have no meaning: the first of them, shortened, how many more there are, and once which there are.
/// A request may have as many as fit into it, and the answer is not to be larger than it.
public final class UnknownNames {
    private static final int MOST = 20;
    private static final int LONGEST = 40;

    private UnknownNames() {}

    /// Those of `names` that are not among `known`, in one sentence; empty if there are none.
    ///
    /// @param kind what they are names of, such as `field`
    /// @param prefix stands before each
    /// @param where stands behind them, empty or with a blank before it
    public static Optional<String> in(
            Collection<String> names,
            List<String> known,
            String kind,
            String prefix,
            String where) {
        var unknown = names.stream().filter(name -> !known.contains(name)).toList();
        if (unknown.isEmpty()) {
            return Optional.empty();
        }
        var first = unknown.stream().limit(MOST).map(name -> prefix + shortened(name)).toList();
        var more = unknown.size() - first.size();
        return Optional.of(
                "unknown "
                        + kind
                        + (unknown.size() == 1 ? " " : "s ")
                        + String.join(", ", first)
                        + (more == 0 ? "" : " and " + more + " more")
                        + where
                        + "; there are "
                        + known);
    }

    /// A name for a message.
    public static String shortened(String name) {
        return name.length() > LONGEST ? name.substring(0, LONGEST) + "..." : name;
    }
}
