package dev.artel.worker.server.hub;

import java.util.function.UnaryOperator;

/// How a hub behaves.
///
/// @param authenticator who may register
/// @param admission a veto against registrations that are authenticated and valid
/// @param duplicates what happens when a connection registers an id that another one has
/// @param modelMatch which workers serve a model
/// @param times how long the hub waits for what
/// @param limits what it takes at most
/// @param requestNames what of the id of a request is for people: the log, and messages of exceptions, have it in place of the id
public record HubOptions(
        Authenticator authenticator,
        Admission admission,
        Duplicates duplicates,
        ModelMatch modelMatch,
        HubTimes times,
        HubLimits limits,
        UnaryOperator<String> requestNames) {
    /// Everybody may register, the newer connection of an id replaces the older one, and models are matched exactly.
    public static final HubOptions DEFAULTS =
            new HubOptions(
                    Authenticator.none(),
                    Admission.all(),
                    Duplicates.REPLACE,
                    ModelMatch.EXACT,
                    HubTimes.DEFAULTS,
                    HubLimits.DEFAULTS,
                    UnaryOperator.identity());

    /// What happens when a connection registers an id that another one has.
    public enum Duplicates {
        /// The older connection is closed with [CloseCode#REPLACED_OR_DEAD].
        REPLACE,
        /// The newer connection is closed with [CloseCode#DUPLICATE_WORKER].
        REFUSE
    }

    /// These options with another authenticator.
    public HubOptions withAuthenticator(Authenticator authenticator) {
        return new HubOptions(
                authenticator, admission, duplicates, modelMatch, times, limits, requestNames);
    }

    /// These options with another veto.
    public HubOptions withAdmission(Admission admission) {
        return new HubOptions(
                authenticator, admission, duplicates, modelMatch, times, limits, requestNames);
    }

    /// These options with another treatment of duplicate ids.
    public HubOptions withDuplicates(Duplicates duplicates) {
        return new HubOptions(
                authenticator, admission, duplicates, modelMatch, times, limits, requestNames);
    }

    /// These options with another match of models.
    public HubOptions withModelMatch(ModelMatch modelMatch) {
        return new HubOptions(
                authenticator, admission, duplicates, modelMatch, times, limits, requestNames);
    }

    /// These options with other times.
    public HubOptions withTimes(HubTimes times) {
        return new HubOptions(
                authenticator, admission, duplicates, modelMatch, times, limits, requestNames);
    }

    /// These options with other limits.
    public HubOptions withLimits(HubLimits limits) {
        return new HubOptions(
                authenticator, admission, duplicates, modelMatch, times, limits, requestNames);
    }

    /// These options with other names of requests for people, where the ids prove a right.
    public HubOptions withRequestNames(UnaryOperator<String> requestNames) {
        return new HubOptions(
                authenticator, admission, duplicates, modelMatch, times, limits, requestNames);
    }
}
