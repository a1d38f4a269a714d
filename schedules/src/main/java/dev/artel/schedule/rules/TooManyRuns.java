package dev.artel.schedule.rules;

/// A person asks for a run while as many of them wait as may.
public final class TooManyRuns extends RuntimeException {
    private static final long serialVersionUID = 1;

    TooManyRuns(String message) {
        super(message);
    }
}
