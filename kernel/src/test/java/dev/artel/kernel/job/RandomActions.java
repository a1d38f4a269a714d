package dev.artel.kernel.job;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.approval.Approvers;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Replacement;
import dev.artel.kernel.branch.JoinPolicy;
import dev.artel.kernel.budget.Budget;
import dev.artel.kernel.budget.Spending;
import dev.artel.kernel.guard.Guards;
import dev.artel.kernel.task.JobData;
import dev.artel.kernel.task.RetryPolicy;
import dev.artel.kernel.task.TaskLimits;
import dev.artel.kernel.task.TaskSpec;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/// What a handler without any sense may return.
final class RandomActions {
    private static final int ENOUGH = 60;

    private final RandomGenerator random;
    private int digests;

    /// Whether it likes to have things done by other jobs.
    private final boolean delegates;

    RandomActions(RandomGenerator random) {
        this.random = random;
        delegates = random.nextInt(4) == 0;
    }

    /// @param size how many tasks and branches the job has; with enough of them it only goes on or ends
    Action next(int branch, int size) {
        var changed = random.nextInt(5) == 0 ? numbered(random.nextInt(5)) : JsonObject.EMPTY;
        return plain(branch, size < ENOUGH ? random.nextInt(100) : 80 + random.nextInt(20))
                .with(changed);
    }

    private Action plain(int branch, int dice) {
        if (delegates && dice < 40) {
            return maybeCompensable(random.nextInt(2) == 0 ? children() : child());
        }
        if (dice < 8) {
            return signal();
        }
        if (dice < 16) {
            return approval();
        }
        if (dice < 36) {
            return maybeCompensable(Action.dispatch(task(), outcomes()));
        }
        if (dice < 53) {
            return maybeCompensable(parallel());
        }
        if (dice < 68) {
            return fork();
        }
        if (dice < 71) {
            return maybeCompensable(child());
        }
        if (dice < 76) {
            return Action.waitFor(Duration.ofSeconds(random.nextInt(3)), "waited");
        }
        if (dice < 77) {
            return Action.continueAsNew("next", numbered(2));
        }
        if (dice < 78) {
            return new Action.ReplaceDefinition(
                    new Replacement.Known(
                            new BlueprintRef("other", "1", "digest-of-other"),
                            "next",
                            Guards.DEFAULTS,
                            Optional.empty()),
                    JobData.EMPTY);
        }
        if (dice < 84 || (branch == 0 && dice < 96)) {
            return Action.transitionTo("next");
        }
        if (dice < 98) {
            return random.nextInt(4) > 0 ? Action.endBranch() : Action.failBranch("no way");
        }
        return random.nextBoolean() ? Action.finish(numbered(1)) : Action.fail("it ends here");
    }

    private Action signal() {
        var wait = Action.awaitSignal(random.nextBoolean() ? "go" : "stop", "signalled");
        return random.nextInt(3) == 0 ? wait.within(seconds(), "overdue") : wait;
    }

    private Action approval() {
        var choices = Outcomes.on("yes", "approved").and("no", "refused");
        var wait = Action.awaitApproval("shall it go on?", choices).by(approvers());
        var timed = random.nextInt(3) == 0 ? wait.within(seconds(), "overdue") : wait;
        return random.nextInt(4) > 0 ? timed.withTokenDigest("digest-" + digests++) : timed;
    }

    private Approvers approvers() {
        return switch (random.nextInt(6)) {
            case 0 -> Approvers.notTheSubmitter();
            case 1 -> Approvers.users("somebody", "client");
            case 2 -> Approvers.groups("managers").exceptTheSubmitter();
            default -> Approvers.ANYBODY;
        };
    }

    private Duration seconds() {
        return Duration.ofSeconds(random.nextInt(20));
    }

    private Action parallel() {
        var tasks = Stream.generate(this::task).limit(random.nextInt(7)).toList();
        var action =
                Action.dispatchParallel(tasks, "join")
                        .withWindow(1 + random.nextInt(4))
                        .withPolicy(policy());
        return random.nextBoolean() ? action.otherwise("otherwise") : action;
    }

    private Action fork() {
        var starts = Stream.generate(() -> "branch").limit(1 + random.nextInt(3)).toList();
        var action = Action.fork(starts, "join").withPolicy(policy());
        return random.nextInt(3) > 0 ? action.otherwise("otherwise") : action;
    }

    private Action maybeCompensable(Action action) {
        return switch (random.nextInt(4)) {
            case 0 -> action.compensatedBy(task());
            case 1 -> action.compensatedBy("compensation");
            default -> action;
        };
    }

    private Action child() {
        var data = JsonObject.EMPTY;
        var action =
                random.nextInt(4) == 0
                        ? Action.startBlueprint("child", data, "started")
                        : Action.runBlueprint(
                                "child", data, Outcomes.on(Outcomes.FINISHED, "done"));
        var granted =
                random.nextInt(4) == 0
                        ? action.withBudget(Budget.ofUsd("" + random.nextInt(4)))
                        : action;
        var complete = random.nextBoolean() ? granted.otherwise("otherwise") : granted;
        return random.nextInt(3) == 0 ? complete.within(Duration.ofSeconds(9)) : complete;
    }

    private Action children() {
        var data = Stream.generate(() -> numbered(random.nextInt(5))).limit(random.nextInt(7));
        var action =
                Action.runBlueprints("child", data.toList(), "join")
                        .withWindow(1 + random.nextInt(4))
                        .withPolicy(policy());
        var timed =
                random.nextInt(3) == 0
                        ? action.each(run -> run.within(Duration.ofSeconds(9)))
                        : action;
        return random.nextBoolean() ? timed.otherwise("otherwise") : timed;
    }

    private JoinPolicy policy() {
        return switch (random.nextInt(4)) {
            case 0 -> JoinPolicy.ALL;
            case 1 -> JoinPolicy.FAIL_FAST;
            case 2 -> JoinPolicy.SETTLED;
            default -> JoinPolicy.atLeast(1 + random.nextInt(3));
        };
    }

    private TaskSpec task() {
        var deadline =
                random.nextInt(3) == 0
                        ? Optional.of(Duration.ofSeconds(5))
                        : Optional.<Duration>empty();
        var task = TaskSpec.of("work", JsonObject.EMPTY);
        var priced =
                switch (random.nextInt(4)) {
                    case 0 -> task.withCost("" + random.nextInt(4));
                    case 1 -> task.withCost(new Spending(500_000_000, random.nextInt(200), 1, 2));
                    default -> task;
                };
        var hedged = random.nextInt(3) == 0 ? priced.hedgedAfter(Duration.ofSeconds(10)) : priced;
        return (random.nextInt(3) == 0 ? priced.notIdempotent() : hedged)
                .withLimits(
                        new TaskLimits(
                                RetryPolicy.DEFAULTS.withMaxAttempts(1 + random.nextInt(3)),
                                1 + random.nextInt(3),
                                deadline,
                                Duration.ofSeconds(30)));
    }

    private Outcomes outcomes() {
        var outcomes = Outcomes.on("success", "done");
        for (var word : List.of(Outcomes.FAILED, Outcomes.TIMEOUT, Outcomes.CANCELLED)) {
            if (random.nextInt(3) > 0) {
                outcomes = outcomes.and(word, "after-" + word);
            }
        }
        return random.nextInt(3) == 0 ? outcomes.and(Outcomes.UNKNOWN, "reconcile") : outcomes;
    }

    static JsonObject numbered(int number) {
        return JsonObject.of("value-" + number, JsonValue.of(number));
    }
}
