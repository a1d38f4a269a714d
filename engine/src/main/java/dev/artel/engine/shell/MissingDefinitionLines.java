package dev.artel.engine.shell;

/// The beginnings of the log lines that name a missing definition. Advice that sends a person to the log quotes these.
public final class MissingDefinitionLines {
    /// Steps of open jobs are held; one line for each definition, at the start of the orchestrator.
    public static final String STEPS_HELD = "the definition of open jobs is missing";

    /// A parent waits for the blueprint of a child; one line for each definition, as soon as a parent asks for it.
    public static final String CHILD_HELD = "a child cannot start";

    private MissingDefinitionLines() {}
}
