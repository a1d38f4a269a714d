package dev.artel.kernel.fleet;

/// How well a worker's latest attempts ended, as the orchestrator saw it. Workers cannot change it.
///
/// Each outcome adds one to `good` or `bad`, and both fade: an outcome counts [#FADING] of what it counted before the
/// next one came. So neither exceeds [#MEMORY], and the last fifty or so outcomes decide. Source: A. Jøsang, R. Ismail,
/// "The Beta Reputation System", 15th Bled Electronic Commerce Conference, 2002: the expectation of a beta
/// distribution (section 3.1) with forgetting (section 3.4).
///
/// @param good faded number of attempts that ended well; at most [#MEMORY]
/// @param bad faded number of attempts that ended badly; at most [#MEMORY]
/// @param succeeded how many attempts ended well over all time
/// @param failed how many attempts failed in a way that another attempt may not
/// @param lost how many attempts ended without a word, or ran for too long
public record Reputation(double good, double bad, long succeeded, long failed, long lost) {
    /// What an outcome still counts when the next one has come.
    public static final double FADING = 0.98;

    /// How many outcomes are remembered, about.
    public static final double MEMORY = 1 / (1 - FADING);

    /// With so many good attempts every worker is credited at first: a newcomer is trusted, and a single failure
    /// does not ruin it.
    private static final double CREDIT = 10;

    /// A worker of which nothing is known.
    public static final Reputation NEW = new Reputation(0, 0, 0, 0, 0);

    /// How an attempt ended, as far as that counts for or against its worker.
    public enum Outcome {
        /// With a result, whatever its status.
        SUCCEEDED,
        /// With a failure that another attempt may not have.
        FAILED,
        /// Without a word, or it ran for too long.
        LOST
    }

    /// Refuses what no row of outcomes gives.
    public Reputation {
        if (!(good >= 0 && good <= MEMORY + 1 && bad >= 0 && bad <= MEMORY + 1)
                || succeeded < 0
                || failed < 0
                || lost < 0) {
            throw new IllegalArgumentException(
                    "reputation must have figures from 0 on, the faded ones up to "
                            + MEMORY
                            + ", had "
                            + good
                            + " good, "
                            + bad
                            + " bad, "
                            + succeeded
                            + " succeeded, "
                            + failed
                            + " failed, "
                            + lost
                            + " lost");
        }
    }

    /// This reputation after one more attempt.
    public Reputation after(Outcome outcome) {
        var isGood = outcome == Outcome.SUCCEEDED;
        return new Reputation(
                good * FADING + (isGood ? 1 : 0),
                bad * FADING + (isGood ? 0 : 1),
                succeeded + (isGood ? 1 : 0),
                failed + (outcome == Outcome.FAILED ? 1 : 0),
                lost + (outcome == Outcome.LOST ? 1 : 0));
    }

    /// This reputation after all attempts of which `later`, which began as [#NEW], knows.
    public Reputation after(Reputation later) {
        var left = Math.pow(FADING, (double) later.attempts());
        return new Reputation(
                good * left + later.good,
                bad * left + later.bad,
                succeeded + later.succeeded,
                failed + later.failed,
                lost + later.lost);
    }

    /// How many attempts it is made of.
    public long attempts() {
        return succeeded + failed + lost;
    }

    /// From one sixth for a worker that only fails to 1 for one that never did.
    public double score() {
        return (good + CREDIT) / (good + bad + CREDIT);
    }
}
