package dev.artel.store.codec;

/// The types of events.
enum EventType implements Versioned {
    JOB_SUBMITTED("job.submitted", 1),
    STATE_ENTERED("state.entered", 1),
    STEP_DONE("step.done", 1),
    STEP_FAILED("step.failed", 1),
    STEP_RETRIED("step.retried", 1),
    TASK_OPENED("task.opened", 1),
    TASKS_OPENED("tasks.opened", 1),
    LEASE_GRANTED("lease.granted", 2),
    ATTEMPT_FAILED("attempt.failed", 1),
    LEASE_LOST("lease.lost", 1),
    HEDGE_BEGUN("hedge.begun", 1),
    ATTEMPT_DROPPED("attempt.dropped", 1),
    LEASE_RETURNED("lease.returned", 1),
    LEASE_RELEASED("lease.released", 1),
    TASK_SUCCEEDED("task.succeeded", 1),
    TASK_FAILED("task.failed", 1),
    OUTCOME_UNKNOWN("outcome.unknown", 1),
    OUTCOME_RESOLVED("outcome.resolved", 1),
    QUESTION_ASKED("question.asked", 1),
    QUESTION_ANSWERED("question.answered", 1),
    ATTEMPT_SETTLED("attempt.settled", 1),
    ATTEMPT_WITHHELD("attempt.withheld", 1),
    TASKS_ADMITTED("tasks.admitted", 1),
    BUDGET_WARNED("budget.warned", 1),
    BUDGET_EXHAUSTED("budget.exhausted", 1),
    BUDGET_EXTENDED("budget.extended", 1),
    TASKS_WITHDRAWN("tasks.withdrawn", 1),
    FORKED("branch.forked", 1),
    BRANCH_ENDED("branch.ended", 1),
    BRANCHES_STOPPED("branches.stopped", 1),
    WAIT_BEGUN("wait.begun", 1),
    SIGNAL_AWAITED("signal.awaited", 1),
    SIGNAL_RECEIVED("signal.received", 1),
    APPROVAL_REQUESTED("approval.requested", 1),
    APPROVAL_DECIDED("approval.decided", 1),
    CHILD_REQUESTED("child.requested", 1),
    CHILDREN_REQUESTED("children.requested", 1),
    CHILDREN_WITHDRAWN("children.withdrawn", 1),
    CHILD_STARTED("child.started", 1),
    CHILD_REFUSED("child.refused", 1),
    CHILD_ENDED("child.ended", 1),
    CHILD_STOPPED("child.stopped", 1),
    PARENT_NOTIFIED("parent.notified", 1),
    COMPENSATION_REGISTERED("compensation.registered", 1),
    COMPENSATION_STARTED("compensation.started", 1),
    COMPENSATION_COMPLETED("compensation.completed", 1),
    CANCEL_REQUESTED("cancel.requested", 1),
    CANCEL_HANDLED("cancel.handled", 1),
    JOB_CHANGED("job.changed", 1),
    JOB_PAUSED("job.paused", 1),
    JOB_RESUMED("job.resumed", 1),
    JOB_QUARANTINED("job.quarantined", 1),
    QUARANTINE_RESOLVED("quarantine.resolved", 1),
    JOB_REWOUND("job.rewound", 1),
    JOB_FORKED("job.forked", 1),
    JOB_CONTINUED("job.continued", 1),
    DEFINITION_REPLACED("definition.replaced", 1),
    TASK_REUSED("task.reused", 1),
    JOB_ENDED("job.ended", 1),
    WEBHOOK_DELIVERED("webhook.delivered", 1),
    WEBHOOK_GIVEN_UP("webhook.given-up", 1);

    private final String type;
    private final int version;

    EventType(String type, int version) {
        this.type = type;
        this.version = version;
    }

    @Override
    public String type() {
        return type;
    }

    @Override
    public int version() {
        return version;
    }
}
