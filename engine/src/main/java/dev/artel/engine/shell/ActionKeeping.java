package dev.artel.engine.shell;

import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Replacement;
import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.job.Job;
import java.util.Optional;

/// Makes of what a handler returned what events can keep: large values go elsewhere, and of the token of an approval only
/// the digest is known. A definition that a job brings along is compiled and kept.
final class ActionKeeping {
    private final LargeValues largeValues;
    private final ApprovalTokens tokens;
    private final PriceTable prices;
    private final DefinitionKeeper definitions;
    private final JobRoom room;

    /// Without prices, without definitions that jobs bring along, and with any memory.
    ActionKeeping(LargeValues largeValues, ApprovalTokens tokens) {
        this(
                largeValues,
                tokens,
                new PriceTable(),
                DefinitionKeeper.NONE,
                new JobRoom(Long.MAX_VALUE));
    }

    ActionKeeping(
            LargeValues largeValues,
            ApprovalTokens tokens,
            PriceTable prices,
            DefinitionKeeper definitions,
            JobRoom room) {
        this.largeValues = largeValues;
        this.tokens = tokens;
        this.prices = prices;
        this.definitions = definitions;
        this.room = room;
    }

    /// Why no further handler of `job` may run; empty if one may.
    Optional<String> problem(Job job) {
        return room.problem(job);
    }

    /// `action` of the run `step` of a handler of `job`.
    Action keep(Job job, EffectId step, Action action) {
        return largeValues.keep(
                switch (action) {
                    case Action.AwaitApproval approval ->
                            approval.withTokenDigest(
                                    ApprovalTokens.digest(tokens.token(job.id(), step)));
                    case Action.ReplaceDefinition(Replacement.Written(var text), var changes) ->
                            new Action.ReplaceDefinition(
                                    Replacement.Known.of(
                                            definitions.keep(job.spec().client(), text)),
                                    changes);
                    default -> prices.priced(action);
                },
                values -> room.ofParameters(job, values));
    }
}
