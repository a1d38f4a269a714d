package dev.artel.kernel.approval;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.branch.JoinPolicy;
import dev.artel.kernel.branch.StepCause;
import dev.artel.kernel.job.Decision;
import dev.artel.kernel.job.Decision.Reason;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.JobState;
import dev.artel.kernel.job.Jobs;
import dev.artel.kernel.job.Outcomes;
import dev.artel.kernel.job.RandomWorld;
import dev.artel.kernel.job.Story;
import dev.artel.kernel.task.Payload;
import dev.artel.kernel.timer.TimerKind;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Jobs that wait for a person to decide.
final class ApprovalTest {
    private static final Outcomes CHOICES = Outcomes.on("approve", "ship").and("reject", "drop");
    private static final Approver TOKEN = new Approver.TokenHolder("d1");

    @Test
    void aDecisionChoosesTheState_andIsKeptWithWhoAndWhen() {
        var story = waiting();
        story.assertStatus("waiting_for_human");

        story.accepted(
                new JobCommand.DecideApproval(
                        TOKEN, "reject", Optional.of("too dear"), story.now()));

        assertThat(story.branch(0).state()).isEqualTo("drop");
        assertThat(story.cause()).isEqualTo(new StepCause.Decided("reject", "token"));
        var decision = ((Payload.Inline) story.job().data().get("approval").orElseThrow()).value();
        assertThat(decision)
                .hasToString(
                        "{\"decision\":\"reject\",\"by\":\"token\",\"at\":\""
                                + story.now()
                                + "\",\"comment\":\"too dear\"}");
    }

    @Test
    void aClientDecides_underItsName() {
        var story = waiting();

        story.accepted(decision(story, client(story), "approve"));

        assertThat(story.cause()).isEqualTo(new StepCause.Decided("approve", "client alice"));
    }

    /// Who submits a payment must not be the one who lets it through.
    @Test
    void whoSubmittedTheJob_doesNotDecide_whereTheDefinitionExcludesIt() {
        var story = waiting(Approvers.notTheSubmitter());

        story.assertRefused(
                decision(story, new Approver.OfClient("client", 4), "approve"),
                Reason.NOT_AN_APPROVER,
                "job job-1: approval 4 may be decided by clients that may change the job, except the"
                        + " client that submitted the job; client client is none of them");

        story.accepted(decision(story, new Approver.OfClient("bob", 4), "approve"));
        assertThat(story.cause()).isEqualTo(new StepCause.Decided("approve", "client bob"));
    }

    @Test
    void whoIsNeitherNamedNorOfAGroup_doesNotDecide() {
        for (var by :
                List.of(
                        new Approver.OfClient("bob", List.of(), 4),
                        new Approver.OfClient("bob", List.of("clerks"), 4),
                        new Approver.OfClient("managers", List.of("ada"), 4),
                        new Approver.OfClient("client", List.of("managers"), 4))) {
            var story = waiting(Approvers.users("ada").orGroup("managers").exceptTheSubmitter());
            story.assertRefused(
                    decision(story, by, "approve"),
                    Reason.NOT_AN_APPROVER,
                    "job job-1: approval 4 may be decided by the users [ada] or the groups"
                            + " [managers], except the client that submitted the job; client "
                            + by.client()
                            + " is none of them");
        }
        for (var by :
                List.of(
                        new Approver.OfClient("ada", 4),
                        new Approver.OfClient("bob", List.of("clerks", "managers"), 4))) {
            var story = waiting(Approvers.users("ada").orGroup("managers"));
            story.accepted(decision(story, by, "approve"));
        }
    }

    @Test
    void whoHasTheToken_decidesUnderTheNameGiven() {
        var story = waiting(Approvers.groups("managers"));

        story.accepted(
                decision(story, new Approver.TokenHolder("d1", Optional.of("Ada")), "approve"));

        assertThat(story.cause()).isEqualTo(new StepCause.Decided("approve", "token (Ada)"));
    }

    @Test
    void aWrongChoice_isRefused_andDecidesNothing() {
        var story = waiting();

        story.assertRefused(
                decision(story, TOKEN, "maybe"),
                Reason.NO_SUCH_CHOICE,
                "job job-1: approval 4 has no choice 'maybe'; choose one of [approve, reject]");

        story.accepted(decision(story, TOKEN, "approve"));
    }

    /// A mail is forwarded, a link is opened twice: what was decided stays decided.
    @Test
    void aTokenWorksOnce() {
        var story = waiting();
        story.accepted(decision(story, TOKEN, "approve"));

        story.assertRefused(
                decision(story, TOKEN, "reject"),
                Reason.TOKEN_USED,
                "job job-1: approval 4 was decided at "
                        + story.now()
                        + " by token: 'approve'; it is decided once");
        assertThat(story.branch(0).state()).isEqualTo("ship");
    }

    @Test
    void aTokenIsGoodForItsOwnApproval() {
        var story = Story.of(Action.fork(List.of("a", "b"), "join"));
        story.step(1, Action.awaitApproval("one?", CHOICES).withTokenDigest("d1"));
        story.step(2, Action.awaitApproval("two?", CHOICES).withTokenDigest("d2"));

        story.accepted(decision(story, new Approver.TokenHolder("d2"), "approve"));

        assertThat(story.branch(1).state()).isEqualTo("a");
        assertThat(story.branch(2).state()).isEqualTo("ship");
        story.assertRefused(
                decision(story, new Approver.TokenHolder("d3"), "approve"),
                Reason.UNKNOWN_TOKEN,
                "job job-1: the token belongs to no approval of it");
    }

    @Test
    void whoComesTooLate_isRefused_beforeAndAfterTheTimer() {
        var story =
                Story.of(
                        Action.awaitApproval("ship?", CHOICES)
                                .withTokenDigest("d1")
                                .within(Duration.ofHours(1), "escalate"));
        var due = story.now().plus(Duration.ofHours(1));
        var text = "job job-1: approval 4 has expired at " + due + "; it can be decided no more";
        story.after(Duration.ofHours(1));

        story.assertRefused(decision(story, TOKEN, "approve"), Reason.TOKEN_EXPIRED, text);
        story.fires(new TimerKind.BranchTimer(0));

        assertThat(story.branch(0).state()).isEqualTo("escalate");
        assertThat(story.cause()).isEqualTo(new StepCause.Overdue("approval"));
        story.assertRefused(decision(story, TOKEN, "approve"), Reason.TOKEN_EXPIRED, text);
    }

    @Test
    void aFinalJob_hasNothingToDecide() {
        var story = waiting();
        story.cancel();

        story.assertRefused(
                decision(story, TOKEN, "approve"),
                Reason.FINAL,
                "job job-1: it is already cancelled since "
                        + story.now()
                        + "; there is nothing to decide");
    }

    @Test
    void anUnknownJob_isReportedAsUnknown() {
        var state = new JobState.Unsubmitted(new JobId("job-9"));
        var command =
                new JobCommand.DecideApproval(
                        TOKEN, "approve", Optional.empty(), RandomWorld.BEGIN);

        assertThat(Jobs.decide(state, command))
                .isEqualTo(new Decision.Rejected(Reason.UNKNOWN_JOB, "there is no job job-9"));
    }

    @Test
    void anApprovalOfABranchThatIsStopped_isNoLongerWanted() {
        var story =
                Story.of(
                        Action.fork(List.of("a", "b"), "join")
                                .withPolicy(JoinPolicy.FAIL_FAST)
                                .otherwise("other"));
        story.step(1, Action.awaitApproval("one?", CHOICES).withTokenDigest("d1"));
        var number = story.pending(Effect.AwaitApproval.class).getFirst().number();

        story.step(2, Action.failBranch("no luck"));

        assertThat(story.pending(Effect.AwaitApproval.class)).isEmpty();
        story.assertRefused(
                decision(story, TOKEN, "approve"),
                Reason.NOT_AWAITED,
                "job job-1: approval " + number + " is no longer wanted since " + story.now());
    }

    @Test
    void aClientThatNamesAnApprovalThatIsNot_isRefused() {
        var story = waiting();

        story.assertRefused(
                decision(story, new Approver.OfClient("alice", 99), "approve"),
                Reason.NOT_AWAITED,
                "job job-1: it has no approval 99; list those that it waits for");
    }

    @Test
    void aQuestionThatNobodyCanAnswer_isRefused() {
        assertThatThrownBy(() -> Action.awaitApproval("?", Outcomes.NONE))
                .hasMessage("an approval takes 1 to 20 choices, got 0");
        assertThatThrownBy(() -> Action.awaitApproval("?", Outcomes.on(" ", "x")))
                .hasMessage("a choice must have 1 to 100 characters and not be blank, was ' '");
        var states = new LinkedHashMap<String, String>();
        for (var i = 0; i < 21; i++) {
            states.put("c" + i, "x");
        }
        assertThatThrownBy(() -> Action.awaitApproval("?", new Outcomes(states)))
                .hasMessage("an approval takes 1 to 20 choices, got 21");
        assertThatThrownBy(() -> Action.awaitApproval("x".repeat(4001), CHOICES))
                .hasMessage("the message of an approval takes at most 4000 characters, got 4001");
    }

    private static Story waiting() {
        return Story.of(Action.awaitApproval("ship it?", CHOICES).withTokenDigest("d1"));
    }

    private static Story waiting(Approvers approvers) {
        return Story.of(
                Action.awaitApproval("ship it?", CHOICES).by(approvers).withTokenDigest("d1"));
    }

    private static Approver client(Story story) {
        return new Approver.OfClient(
                "alice", story.pending(Effect.AwaitApproval.class).getFirst().number());
    }

    private static JobCommand.DecideApproval decision(Story story, Approver by, String choice) {
        return new JobCommand.DecideApproval(by, choice, Optional.empty(), story.now());
    }
}
