package dev.artel.kernel.rules;

/// The deciders of one command, each for one subject; all of them write to one draft.
///
/// The end of a task may end a branch, that of a branch the job, and that of the job begins what compensates it, in a branch
/// again: deciders need each other in circles. So each finds those that it needs here. Most commands need two or three of them,
/// so one is made when it is asked for; only that of the compensation remembers something, and is there once.
final class Deciders {
    private final Draft draft;
    private final CompensationDecider compensation;

    Deciders(Draft draft) {
        this.draft = draft;
        compensation = new CompensationDecider(draft, this);
    }

    SubmitDecider submissions() {
        return new SubmitDecider(draft, this);
    }

    StepDecider steps() {
        return new StepDecider(draft, this);
    }

    BranchDecider branches() {
        return new BranchDecider(draft, this);
    }

    TaskDecider tasks() {
        return new TaskDecider(draft, this);
    }

    HedgeDecider hedges() {
        return new HedgeDecider(draft);
    }

    UnknownOutcomeDecider unknownOutcomes() {
        return new UnknownOutcomeDecider(draft, this);
    }

    QuestionDecider questions() {
        return new QuestionDecider(draft, this);
    }

    ReuseDecider reuse() {
        return new ReuseDecider(draft, this);
    }

    BudgetDecider budgets() {
        return new BudgetDecider(draft, this);
    }

    ChildDecider children() {
        return new ChildDecider(draft, this);
    }

    SignalDecider signals() {
        return new SignalDecider(draft, this);
    }

    ApprovalDecider approvals() {
        return new ApprovalDecider(draft, this);
    }

    QuarantineDecider quarantine() {
        return new QuarantineDecider(draft, this);
    }

    CompensationDecider compensation() {
        return compensation;
    }

    CancelDecider cancel() {
        return new CancelDecider(draft, this);
    }

    ClientDecider clients() {
        return new ClientDecider(draft);
    }

    WebhookDecider webhooks() {
        return new WebhookDecider(draft);
    }
}
