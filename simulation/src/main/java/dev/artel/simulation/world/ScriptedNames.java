package dev.artel.simulation.world;

import java.util.List;

/// The names that random blueprints, clients and people share, and that judges recognise.
public final class ScriptedNames {
    /// Where the data of a job keeps its key.
    public static final String KEY = "key";

    /// How the names of forked jobs begin.
    public static final String FORK = "fork-";

    /// The names of signals that there are.
    public static final List<String> SIGNALS = List.of("go", "stop");

    /// What may be answered to a question.
    public static final List<String> ANSWERS = List.of("left", "right");

    /// The decision of a person who approves.
    public static final String YES = "yes";

    /// The decision of a person who does not.
    public static final String NO = "no";

    private ScriptedNames() {}
}
