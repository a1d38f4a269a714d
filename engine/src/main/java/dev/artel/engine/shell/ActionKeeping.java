package dev.artel.engine.shell;

import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.job.JobId;

/// Makes of what a handler returned what events can keep: large values go elsewhere, and of the token of an approval only
/// the digest is known.
final class ActionKeeping {
    private final LargeValues largeValues;
    private final ApprovalTokens tokens;
    private final PriceTable prices;

    /// Without prices.
    ActionKeeping(LargeValues largeValues, ApprovalTokens tokens) {
        this(largeValues, tokens, new PriceTable());
    }

    ActionKeeping(LargeValues largeValues, ApprovalTokens tokens, PriceTable prices) {
        this.largeValues = largeValues;
        this.tokens = tokens;
        this.prices = prices;
    }

    /// `action` of the run `step` of a handler of `job`.
    Action keep(JobId job, EffectId step, Action action) {
        return largeValues.keep(
                action instanceof Action.AwaitApproval approval
                        ? approval.withTokenDigest(ApprovalTokens.digest(tokens.token(job, step)))
                        : prices.priced(action));
    }
}
