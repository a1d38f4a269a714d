package dev.artel.simulation.world;

/// A promise was broken. The message has the scenario, what was found, and the last that happened before.
public final class SimulationFailure extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient Scenario scenario;
    private final String finding;

    SimulationFailure(Scenario scenario, String finding, String course, Throwable cause) {
        super(finding + "\n  in " + scenario + "\n" + course, cause);
        this.scenario = scenario;
        this.finding = finding;
    }

    /// In which scenario.
    public Scenario scenario() {
        return scenario;
    }

    /// What was found, in a sentence.
    public String finding() {
        return finding;
    }
}
