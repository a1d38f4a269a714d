package dev.artel.e2e.chaos;

import java.util.List;
import java.util.Locale;
import java.util.Set;

/// A kind of job that chaos submits, and how jobs of the kind may end.
enum JobKind {
    CHAIN(20),
    FAN(3),
    SAGA(8),
    FAMILY(5),
    TIMER(8),
    FLAKY(5),
    LARGE(3),
    APPROVAL(4),
    SIGNAL(4),
    FUNCTION(8),
    /// Functions of which the checker knows the calls and the result.
    FUNCTION_CALLS(3),
    FUNCTION_ALL(3),
    FUNCTION_MAP(3),
    FUNCTION_SLEEP(3),
    FUNCTION_PEOPLE(3),
    FUNCTION_CHILDREN(2),
    FUNCTION_SAGA(4),
    /// The handler of a hung job ends with its process; a cancel ends the job.
    ENDLESS_LOOP(0),
    DEAF(0),
    /// Set aside if it has ended the process twice, else failed or quarantined by its error.
    HOARD(0);

    /// The status of a job that waits for a person, and has not ended.
    static final String QUARANTINED = "quarantined";

    /// The status of a job that is set aside, whose history nobody reads.
    static final String UNREADABLE = "unreadable";

    private final int weight;

    /// @param weight how often clients submit it, among all weights; 0: only mischief does
    JobKind(int weight) {
        this.weight = weight;
    }

    String blueprint() {
        return "chaos_" + name().toLowerCase(Locale.ROOT);
    }

    boolean mayEnd(String status) {
        return switch (this) {
            case CHAIN,
                    FAN,
                    FAMILY,
                    TIMER,
                    FLAKY,
                    LARGE,
                    APPROVAL,
                    SIGNAL,
                    FUNCTION,
                    FUNCTION_CALLS,
                    FUNCTION_ALL,
                    FUNCTION_MAP,
                    FUNCTION_SLEEP,
                    FUNCTION_PEOPLE,
                    FUNCTION_CHILDREN ->
                    status.equals("finished");
            case SAGA, FUNCTION_SAGA -> Set.of("finished", "failed").contains(status);
            case ENDLESS_LOOP, DEAF -> Set.of("cancelled", QUARANTINED, "failed").contains(status);
            case HOARD -> Set.of("cancelled", QUARANTINED, "failed", UNREADABLE).contains(status);
        };
    }

    /// Whether [ExpectedCalls] knows what jobs of this kind do.
    boolean hasExpectedCalls() {
        return compareTo(FUNCTION_CALLS) >= 0 && compareTo(FUNCTION_SAGA) <= 0;
    }

    /// Whether jobs of this kind may have their payment declined.
    boolean mayBeDeclined() {
        return this == SAGA || this == FUNCTION_SAGA;
    }

    /// Whether a job of this kind hurts the orchestrator on purpose.
    boolean isHarmful() {
        return weight == 0;
    }

    /// The kind at `place`, from 0 up to [#weights].
    static JobKind at(int place) {
        var left = place;
        for (var jobKind : values()) {
            left -= jobKind.weight;
            if (left < 0) {
                return jobKind;
            }
        }
        throw new IllegalArgumentException("no kind at " + place + " of " + weights());
    }

    static int weights() {
        return List.of(values()).stream().mapToInt(jobKind -> jobKind.weight).sum();
    }
}
