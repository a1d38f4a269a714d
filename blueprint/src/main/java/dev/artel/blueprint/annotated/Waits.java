package dev.artel.blueprint.annotated;

import dev.artel.blueprint.Approval;
import dev.artel.blueprint.ApprovalCall;
import dev.artel.blueprint.KernelBridge;
import dev.artel.blueprint.SignalCall;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.job.Outcomes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The actions that wait for the people and signals that handlers return.
final class Waits {
    /// The word for a signal that has come.
    static final String RECEIVED = "received";

    private Waits() {}

    /// Whether values of `type` are waits.
    static boolean isWait(Class<?> type) {
        return type == ApprovalCall.class || type == SignalCall.class;
    }

    /// Adds to `problems` what is wrong with the outcomes of a handler that returns a wait.
    static void check(Marked marked, List<String> problems) {
        if (!marked.handler().resultAs().isEmpty()) {
            problems.add(
                    marked
                            + " has resultAs and returns no task and no child; a decision is kept as approval, and what a"
                            + " signal brings under its name");
        }
        words(marked).ifPresent(words -> check(marked, words, problems));
    }

    private static void check(Marked marked, List<String> words, List<String> problems) {
        var named = marked.on().states().sequencedKeySet();
        var all = new ArrayList<>(words);
        all.add(Outcomes.TIMEOUT);
        OutcomeWords.check(marked, all, problems);
        for (var word : words) {
            if (!named.contains(word)) {
                problems.add(
                        marked
                                + " does not define what follows '"
                                + word
                                + "'; add it to on, as all of "
                                + words);
            }
        }
    }

    /// The words of what the handler waits for; empty if only its value has them.
    private static Optional<List<String>> words(Marked marked) {
        if (marked.method().getReturnType() == SignalCall.class) {
            return Optional.of(List.of(RECEIVED));
        }
        return Types.argument(marked.method().getGenericReturnType())
                .map(Types::raw)
                .filter(Class::isEnum)
                .map(choices -> approval(choices).words());
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // the caller has seen that it is an enum
    static Approval<?> approval(Class<?> choices) {
        return Approval.of((Class) choices);
    }

    /// Waits for `call`, a person or a signal.
    static Action action(Marked marked, Object call) {
        return call instanceof ApprovalCall<?> question
                ? ask(marked, question)
                : await(marked, (SignalCall<?>) call);
    }

    private static Action ask(Marked marked, ApprovalCall<?> question) {
        var choices = Outcomes.NONE;
        for (var word : question.approval().words()) {
            choices = choices.and(word, after(marked, word));
        }
        var ask =
                Action.awaitApproval(question.message(), choices)
                        .by(KernelBridge.approvers(question));
        return question.within()
                .<Action>map(time -> ask.within(time, after(marked, Outcomes.TIMEOUT)))
                .orElse(ask);
    }

    private static Action await(Marked marked, SignalCall<?> call) {
        var wait = Action.awaitSignal(call.signal().name(), after(marked, RECEIVED));
        Optional<Duration> within = call.within();
        return within.<Action>map(time -> wait.within(time, after(marked, Outcomes.TIMEOUT)))
                .orElse(wait);
    }

    private static String after(Marked marked, String word) {
        return marked.on()
                .after(word)
                .orElseThrow(() ->
                        new IllegalStateException(
                                marked
                                        + " returned a wait that may end with '"
                                        + word
                                        + "', and does not define what follows; add @On(value = \""
                                        + word
                                        + "\", state = ...)"));
    }
}
