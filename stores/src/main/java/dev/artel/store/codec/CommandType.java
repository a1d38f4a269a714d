package dev.artel.store.codec;

/// The types of commands.
enum CommandType implements Versioned {
    SUBMIT("submit", 1),
    COMPLETE_STEP("complete-step", 1),
    FAIL_STEP("fail-step", 1),
    GRANT("grant", 2),
    REPORT("report", 1),
    END_LEASE("end-lease", 1),
    FIRE_TIMER("fire-timer", 1),
    SIGNAL("signal", 1),
    RESOLVE_TASK("resolve-task", 1),
    ASK_QUESTION("ask-question", 1),
    ANSWER_QUESTION("answer-question", 1),
    DECIDE_APPROVAL("decide-approval", 1),
    CONFIRM_CHILD("confirm-child", 1),
    REFUSE_CHILD("refuse-child", 1),
    END_CHILD("end-child", 1),
    CONFIRM_STOP("confirm-stop", 1),
    CONFIRM_PARENT_NOTIFIED("confirm-parent-notified", 1),
    RESOLVE_QUARANTINE("resolve-quarantine", 1),
    REWIND("rewind", 1),
    FORK("fork", 1),
    CHANGE_JOB("change-job", 1),
    EXTEND_BUDGET("extend-budget", 1),
    PAUSE_JOB("pause-job", 1),
    RESUME_JOB("resume-job", 1),
    CANCEL("cancel", 1),
    SETTLE_WEBHOOK("settle-webhook", 1);

    private final String type;
    private final int version;

    CommandType(String type, int version) {
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
