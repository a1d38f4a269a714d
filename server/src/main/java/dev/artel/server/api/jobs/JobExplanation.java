package dev.artel.server.api.jobs;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.attempt.Attempt;
import dev.artel.kernel.branch.Branch;
import dev.artel.kernel.branch.JoinState;
import dev.artel.kernel.budget.BudgetLedger;
import dev.artel.kernel.child.Child;
import dev.artel.kernel.compensation.CompensationLog;
import dev.artel.kernel.engine.Engine;
import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.JobOutcome;
import dev.artel.kernel.job.Task;
import dev.artel.kernel.placement.WaitReason;
import dev.artel.kernel.timer.Timer;
import dev.artel.server.api.access.JobReading;
import dev.artel.server.api.http.ApiJson;
import dev.artel.server.api.tasks.BudgetDocument;
import dev.artel.server.api.tasks.PlacementDocument;
import dev.artel.server.api.tasks.TaskDocument;
import dev.artel.server.api.tasks.TaskExplanation;
import dev.artel.webhook.WaitingCall;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;

/// What a job waits for: one entry for each thing, alike ones together.
final class JobExplanation {
    /// How many tasks are looked at one by one.
    private static final int TASKS = 200;

    /// How many of many children are looked at one by one.
    private static final int CHILDREN = 3;

    /// How many other jobs of the tree are looked at.
    private static final int JOBS = 50;

    private static final int MOST_ALIKE = 20;

    /// Something is held because its definition is not there.
    private static final String DEFINITION = "definition";

    private final JobReading reading;
    private final Engine engine;
    private final Function<JobId, Optional<JobReading>> children;
    private final Function<Job, List<WaitingCall>> calls;
    private final Function<JobId, Optional<String>> unreadable;
    private final Below below;
    private final LinkedHashMap<Same, Wait> waits = new LinkedHashMap<>();

    private record Same(String what, String text) {}

    private static final class Wait {
        final JsonObject.Builder json;
        final List<Integer> tasks = new ArrayList<>();
        int count;

        Wait(JsonObject.Builder json) {
            this.json = json;
        }
    }

    /// How many jobs of a tree may still be read: a tree is as wide as it likes.
    private static final class Below {
        int left = JOBS;
    }

    private JobExplanation(
            JobReading reading,
            Engine engine,
            Function<JobId, Optional<JobReading>> children,
            Function<Job, List<WaitingCall>> calls,
            Function<JobId, Optional<String>> unreadable,
            Below below) {
        this.below = below;
        this.unreadable = unreadable;
        this.reading = reading;
        this.engine = engine;
        this.children = children;
        this.calls = calls;
    }

    /// @param children reads other jobs
    /// @param calls describes the pending webhook calls of a job
    /// @param unreadable why the engine cannot take up a job
    static JsonObject of(
            JobReading reading,
            Engine engine,
            Function<JobId, Optional<JobReading>> children,
            Function<Job, List<WaitingCall>> calls,
            Function<JobId, Optional<String>> unreadable) {
        return new JobExplanation(reading, engine, children, calls, unreadable, new Below()).all();
    }

    private JsonObject all() {
        var job = reading.job();
        unreadable
                .apply(job.id())
                .ifPresent(reason ->
                        wait(
                                "unreadable",
                                "the orchestrator could not read this job, and gives none of its tasks to workers: "
                                        + reason,
                                "fix the cause; GET /api/v1/unreadable lists all such jobs",
                                Optional.empty()));
        job.pause()
                .ifPresent(pause ->
                        wait(
                                "pause",
                                "the job " + pause.text(),
                                "let it go on: POST /api/v1/jobs/" + job.id() + "/resume",
                                Optional.empty()));
        switch (job.phase()) {
            case Job.Active _ -> {
                job.budget().flatMap(BudgetLedger::asking).ifPresent(this::extension);
                job.branches().forEach(this::branch);
                job.compensationLog()
                        .running()
                        .flatMap(CompensationLog.Running::grace)
                        .ifPresent(this::compensationGrace);
                definition(job);
            }
            case Job.Cancelling(var reason, var grace, var next) -> {
                var text =
                        "it is being cancelled ("
                                + reason
                                + ") and "
                                + next.map(state -> "goes on in state " + state).orElse("ends")
                                + " when its workers and children have given up, at the latest at "
                                + grace.at();
                wait("cancel", text, "nothing is needed", Optional.of(grace.at()));
            }
            case Job.Quarantined(var reason, var _) ->
                    wait(
                            "person",
                            "it is quarantined and waits for a person: " + reason,
                            "fix the cause, then release, retry or skip what failed, or discard the job: POST"
                                    + " /api/v1/jobs/"
                                    + job.id()
                                    + "/quarantine/release",
                            Optional.empty());
            case Job.Ended _ -> {
                // nothing any more
            }
        }
        calls.apply(job).forEach(this::call);
        var listed = new ArrayList<JsonValue>();
        waits.forEach((_, wait) -> {
            if (!wait.tasks.isEmpty()) {
                var tasks = wait.tasks.stream().map(it -> (JsonValue) JsonValue.of(it)).toList();
                wait.json.put("tasks", new JsonArray(tasks)).put("count", wait.count);
            }
            listed.add(wait.json.build());
        });
        var json =
                JsonObject.builder()
                        .put("job_id", job.id().value())
                        .put("status", job.status())
                        .put("text", compensation(job) + sentence(job))
                        .put("waits", new JsonArray(listed))
                        .put("task_counts", TaskDocument.counts(job));
        GuardWarnings.put(job, json);
        return json.build();
    }

    private String sentence(Job job) {
        if (job.isFinal()) {
            return "it is over: "
                    + job.status()
                    + job.errorMessage().map(message -> ", " + message).orElse("")
                    + (waits.isEmpty() ? "" : "; " + first());
        }
        if (waits.isEmpty()) {
            return "it waits for nothing that is known here";
        }
        return first();
    }

    private String first() {
        var more = waits.size() - 1;
        return waits.firstEntry().getKey().text()
                + (more == 0 ? "" : " (and " + more + (more == 1 ? " more)" : " more things)"));
    }

    private void extension(BudgetLedger.Asking asking) {
        var job = reading.job();
        var ledger = job.budget().orElseThrow();
        var limit = asking.limit();
        var text =
                "its budget is spent: of "
                        + limit.text(ledger.limits().of(limit))
                        + ", "
                        + limit.text(ledger.used().of(limit))
                        + " are spent, reserved or granted to children, and the next task takes "
                        + limit.text(asking.needed().of(limit));
        wait(
                "budget",
                text,
                "grant more: POST /api/v1/jobs/" + job.id() + "/budget/extend, or cancel the job",
                Optional.empty());
        wait(new Same("budget", text)).json.put("missing", BudgetDocument.missing(ledger, asking));
    }

    private void call(WaitingCall call) {
        wait(
                "webhook",
                call.text(),
                "fix the receiver if it fails; the call is given up at "
                        + call.end()
                        + " at the latest",
                call.next());
        var json = wait(new Same("webhook", call.text())).json;
        json.put("call", call.webhookEvent().id().toString());
        call.host().ifPresent(host -> json.put("host", host));
    }

    private void compensationGrace(Timer grace) {
        wait(
                "cancel",
                "its workers and children have until "
                        + grace.at()
                        + " to give up; then what it did is compensated",
                "nothing is needed",
                Optional.of(grace.at()));
    }

    /// What it comes to, where what it did is being compensated.
    private static String compensation(Job job) {
        return job.compensationLog()
                .running()
                .filter(_ -> !job.isFinal())
                .map(it ->
                        "what it did is being compensated, "
                                + (job.compensationLog().registered().size() - it.kept())
                                + " left, since "
                                + switch (it.aim()) {
                                    case CompensationLog.End(JobOutcome.Failed(var reason)) ->
                                            "it failed: " + reason;
                                    case CompensationLog.End(JobOutcome.Cancelled(var reason)) ->
                                            "it was cancelled: " + reason;
                                    case CompensationLog.End(JobOutcome.Finished _) -> "it ended";
                                    case CompensationLog.Back(var to, var by) ->
                                            by + " takes it back to state " + to.state();
                                }
                                + ". Now ")
                .orElse("");
    }

    private void branch(Branch branch) {
        var where = "state " + branch.state() + " of branch " + branch.id();
        switch (branch.doing()) {
            case Branch.Stepping(var run, var _, int failures) ->
                    step(branch, run, where, failures);
            case Branch.BackingOff(var timer, var _, int failures) ->
                    wait(
                            "backoff",
                            "the handler of "
                                    + where
                                    + " has failed "
                                    + failures
                                    + " times and runs again at "
                                    + timer.at(),
                            "nothing is needed",
                            Optional.of(timer.at()));
            case Branch.AwaitingChild(int number, var _) ->
                    child(reading.job().children().children().get(number));
            case Branch.AwaitingChildren(var group) -> children(group);
            case Branch.Waiting(var timer, var next) ->
                    wait(
                            "time",
                            "it waits until " + timer.at() + " to go on in state " + next,
                            "nothing is needed",
                            Optional.of(timer.at()));
            case Branch.AwaitingSignal(var _, var signal, var next, var deadline, var otherwise) ->
                    wait(
                                    "signal",
                                    "it waits for signal '"
                                            + signal
                                            + "' to go on in state "
                                            + next
                                            + orElse(deadline, otherwise),
                                    "send the signal: POST /api/v1/jobs/"
                                            + reading.job().id()
                                            + "/signals/"
                                            + signal,
                                    deadline.map(Timer::at))
                            .put("signal", signal);
            case Branch.AwaitingApproval(var effect, var approval, var deadline) ->
                    wait(
                                    "approval",
                                    "it waits for a person to decide: "
                                            + approval.message()
                                            + " "
                                            + approval.choices().states().sequencedKeySet()
                                            + orElse(deadline, approval.otherwise()),
                                    "decide: POST /api/v1/jobs/"
                                            + reading.job().id()
                                            + "/approvals/"
                                            + effect.event(),
                                    deadline.map(Timer::at))
                            .put("approval", effect.event())
                            .put("message", approval.message())
                            .put(
                                    "choices",
                                    ApiJson.texts(
                                            List.copyOf(
                                                    approval.choices()
                                                            .states()
                                                            .sequencedKeySet())));
            case Branch.AwaitingTask(int task, var _) -> tasks(IntStream.of(task));
            case Branch.AwaitingTasks(var joinState) ->
                    tasks(
                            IntStream.range(
                                    joinState.first(), joinState.first() + joinState.count()));
            case Branch.AwaitingBranches _, Branch.Over _, Branch.Stopped _ -> {
                // its branches speak for themselves
            }
        }
    }

    private void step(Branch branch, EffectId run, String where, int failures) {
        var held = engine.whyHeld(reading.job().spec().blueprint(), Optional.of(branch.state()));
        if (held.isPresent()) {
            held("the handler of " + where + " is held: " + held.get(), blueprint(reading.job()));
            return;
        }
        if (reading.job().pause().isPresent()) {
            wait(
                    "step",
                    "the handler of " + where + " runs when the job is resumed",
                    "resume the job",
                    Optional.empty());
            return;
        }
        var obstacle = engine.whyNotBegun(reading.job().id(), run);
        var text =
                obstacle.map(why -> "the handler of " + where + " has not begun: " + why)
                        .orElseGet(() ->
                                "the handler of "
                                        + where
                                        + " of blueprint "
                                        + reading.job().spec().blueprint().name()
                                        + " runs, try "
                                        + (failures + 1));
        wait("step", text, "nothing is needed", Optional.empty());
    }

    /// A job that waits for something else will need its definition afterwards.
    private void definition(Job job) {
        if (waits.keySet().stream().noneMatch(wait -> wait.what().equals(DEFINITION))) {
            engine.whyHeld(job.spec().blueprint(), Optional.empty())
                    .ifPresent(
                            why -> held("what it does next will be held: " + why, blueprint(job)));
        }
    }

    private static String blueprint(Job job) {
        var blueprint = job.spec().blueprint();
        return "version " + blueprint.version() + " of blueprint '" + blueprint.name() + "'";
    }

    private void held(String text, String definition) {
        wait(
                DEFINITION,
                text,
                "put the jar with "
                        + definition
                        + " back into the folder of blueprints and start the orchestrator again; it goes on"
                        + " by itself then, and nothing is lost. If the name of a child's blueprint is"
                        + " mistyped, correct it and rewind the job to the state that starts it",
                Optional.empty());
    }

    private static String orElse(Optional<Timer> deadline, Optional<String> otherwise) {
        return deadline.map(timer ->
                        ", until " + timer.at() + ", or else in state " + otherwise.orElse("?"))
                .orElse("");
    }

    /// How far many children are; those that have lived longest are looked at one by one.
    private void children(JoinState group) {
        var all = reading.job().children().children();
        var live = new ArrayList<Child>();
        for (var i = group.first(); i < group.first() + group.count(); i++) {
            var child = all.get(i);
            if (child.state() instanceof Child.Asked || child.state() instanceof Child.Running) {
                live.add(child);
            }
        }
        var ended = group.succeeded() + group.failed();
        wait(
                "children",
                "it waits for "
                        + (group.count() - ended)
                        + " of "
                        + group.count()
                        + " children of blueprint "
                        + all.get(group.first()).spec().blueprint()
                        + ": "
                        + group.succeeded()
                        + " have finished, "
                        + group.failed()
                        + " have not, "
                        + live.size()
                        + " live (at most "
                        + group.window()
                        + " at once), "
                        + (group.count() - ended - live.size())
                        + " wait for their turn",
                "nothing is needed here; look at the children",
                Optional.empty());
        live.stream().limit(CHILDREN).forEach(this::child);
    }

    /// Waits for a job, which may wait for another: the text covers the whole way down.
    private void child(Child child) {
        var what =
                "child "
                        + child.number()
                        + ", job "
                        + child.id()
                        + " of blueprint "
                        + child.spec().blueprint();
        var held =
                child.state() instanceof Child.Asked
                        ? engine.whyHeld(reading.job().spec(), child.spec())
                        : Optional.<String>empty();
        if (held.isPresent()) {
            held(
                    "it waits for " + what + ", whose start is held: " + held.get(),
                    child.spec().version().map(version -> "version " + version + " of ").orElse("")
                            + "blueprint '"
                            + child.spec().blueprint()
                            + "'");
            return;
        }
        if (below.left == 0) {
            wait(
                    "child",
                    "it waits for " + what,
                    "look at the child: GET /api/v1/jobs/" + child.id() + "/explain",
                    Optional.empty());
            return;
        }
        below.left--;
        var found = children.apply(child.id());
        var text =
                found.isEmpty()
                        ? "it waits for " + what + " to begin"
                        : "it waits for "
                                + what
                                + ", which is "
                                + found.get().job().status()
                                + ", because: "
                                + explained(found.get());
        wait("child", text, "nothing is needed here; look at the child", Optional.empty());
        wait(new Same("child", text)).json.put("child_job_id", child.id().value());
    }

    /// Generations are limited, and so is this.
    private String explained(JobReading child) {
        var it = new JobExplanation(child, engine, children, calls, unreadable, below).all();
        return it.string("text").orElse("");
    }

    /// Those that are not over, as many as are looked at.
    private void tasks(IntStream numbers) {
        var looked =
                numbers.mapToObj(reading.job().tasks()::get)
                        .filter(Task::isUnsettled)
                        .limit(TASKS)
                        .toList();
        TaskDocument.Waiting waiting = engine::whyNotYet;
        var reasons = waiting.whyNotYet(reading.job(), looked.stream(), TASKS);
        looked.forEach(task -> task(task, Optional.ofNullable(reasons.get(task.id()))));
    }

    private void task(Task task, Optional<WaitReason> reason) {
        if (task.state() instanceof Task.Doubtful doubt) {
            wait(
                            "resolution",
                            "task "
                                    + task.id()
                                    + " ("
                                    + task.spec().type()
                                    + ") may have had its effect, and must not be done twice: "
                                    + doubt.reason(),
                            "set its outcome: POST /api/v1/jobs/"
                                    + reading.job().id()
                                    + "/tasks/"
                                    + task.id()
                                    + "/resolve",
                            Optional.empty())
                    .put("task", task.id())
                    .put("type", task.spec().type());
            return;
        }
        if (task.asked().isPresent()) {
            var open = task.asked().get();
            var json =
                    wait(
                            "answer",
                            "task "
                                    + task.id()
                                    + " ("
                                    + task.spec().type()
                                    + "): "
                                    + TaskExplanation.text(reading, task),
                            "answer: POST /api/v1/jobs/"
                                    + reading.job().id()
                                    + "/questions/"
                                    + open.number(),
                            open.deadline().map(Timer::at));
            json.put("task", task.id())
                    .put("type", task.spec().type())
                    .put("question", open.number())
                    .put("message", open.question().text());
            if (!open.question().choices().isEmpty()) {
                json.put("choices", ApiJson.texts(open.question().choices()));
            }
            return;
        }
        if (reason.isPresent()
                && task.state() instanceof Task.Open(Attempt.Queued _, int _, var _)) {
            // Of all that wait for the same, not only of the first one.
            var why = reason.get().ofJob();
            var wait =
                    note(
                            new Same(
                                    "worker",
                                    "a task of type " + task.spec().type() + ": " + why.text()),
                            task.id());
            if (wait.count == 1) {
                wait.json
                        .put("type", task.spec().type())
                        .put("waits_because", PlacementDocument.of(why));
                deadline(task).ifPresent(at -> wait.json.put("dispatch_deadline", ApiJson.of(at)));
            }
        } else {
            var what = task.state() instanceof Task.Planned ? "window" : "task";
            note(new Same(what, TaskExplanation.text(reading, task)), task.id())
                    .json
                    .put("type", task.spec().type());
        }
    }

    private static Optional<Instant> deadline(Task task) {
        return task.state() instanceof Task.Open(Attempt.Queued queued, int _, var _)
                ? queued.deadline().map(timer -> timer.at())
                : Optional.empty();
    }

    private Wait note(Same same, int task) {
        var wait = wait(same);
        wait.count++;
        if (wait.tasks.size() < MOST_ALIKE) {
            wait.tasks.add(task);
        }
        return wait;
    }

    private JsonObject.Builder wait(
            String what, String text, String unblock, Optional<Instant> until) {
        var json = wait(new Same(what, text)).json.put("unblock", unblock);
        until.ifPresent(at -> json.put("until", ApiJson.of(at)));
        return json;
    }

    private Wait wait(Same same) {
        return waits.computeIfAbsent(
                same,
                it -> new Wait(JsonObject.builder().put("for", it.what()).put("text", it.text())));
    }
}
