package dev.artel.approval;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.artel.kernel.approval.Approval;
import dev.artel.kernel.branch.Branch;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.store.StoreException.StoreUnavailable;
import java.net.URLEncoder;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Makes links to the page on which a person decides about one approval. Anybody with a link may decide, so it is shown
/// to those alone who may decide anyway, and to those who send it on. Safe for use by many threads.
public final class ApprovalLinks {
    private final Supplier<String> base;
    private final Function<String, List<String>> groups;
    private volatile @Nullable Tokens tokens;

    /// Knows the tokens of approvals.
    @FunctionalInterface
    public interface Tokens {
        /// The token of an approval that is open; empty if it has none.
        Optional<String> of(JobId job, Approval approval);
    }

    /// @param base the address of the orchestrator for people, without a slash at its end
    /// @param groups of a client
    public ApprovalLinks(Supplier<String> base, Function<String, List<String>> groups) {
        this.base = base;
        this.groups = groups;
    }

    /// From now on links can be made.
    public void take(Tokens known) {
        tokens = known;
    }

    /// The link for `approval`; empty if it has no token.
    ///
    /// @throws StoreUnavailable before [#take]
    public Optional<String> of(JobId job, Approval approval) {
        var known = tokens;
        if (known == null) {
            throw new StoreUnavailable(
                    "making the link of an approval of job "
                            + job
                            + ": the orchestrator is starting; try again",
                    null);
        }
        return known.of(job, approval)
                .map(token ->
                        base.get()
                                + "/_public/approve#job="
                                + URLEncoder.encode(job.value(), UTF_8)
                                + "&token="
                                + URLEncoder.encode(token, UTF_8));
    }

    /// The link for the open approval `number` of `job`.
    ///
    /// @param isForSubmitter whether the receiver is the client that submitted the job; it gets none where it may not decide
    public Optional<String> of(Job job, long number, boolean isForSubmitter) {
        for (var branch : job.branches()) {
            if (branch.doing() instanceof Branch.AwaitingApproval(var wait, var approval, var _)
                    && wait.event() == number) {
                return isForSubmitter && !maySubmitterDecide(job, approval)
                        ? Optional.empty()
                        : of(job.id(), approval);
            }
        }
        return Optional.empty();
    }

    private boolean maySubmitterDecide(Job job, Approval approval) {
        var client = job.spec().client();
        return approval.approvers().include(client, groups.apply(client), job.spec()::isSubmitter);
    }
}
