package dev.artel.kernel.job;

/// Which definition a job runs.
///
/// @param name the alias under which it was submitted
/// @param version the author's word
/// @param graph the digest of the graph of states, with which the job stays
public record BlueprintRef(String name, String version, String graph) {
    /// How the versions begin of definitions that jobs have brought along. What follows is made of their content.
    public static final String PLANNED_VERSION = "0.0.0-sha256.";

    /// What stands for the names of all of these, see [#group].
    public static final String PLANNED = "(planned)";

    /// Whether a job has brought it along. Its name is any that its author liked, such as that of a blueprint of others.
    public boolean isPlanned() {
        return version.startsWith(PLANNED_VERSION);
    }

    /// The name by which what its jobs do is limited, counted and subscribed to: its own, or [#PLANNED].
    public String group() {
        return isPlanned() ? PLANNED : name;
    }
}
