package dev.artel.server.api.jobs;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.branch.Branch;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.timer.Timer;
import dev.artel.server.api.http.ApiJson;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Optional;

/// What each branch of a job is about at this moment, and which signals no branch has taken yet.
final class BranchDocument {
    /// How many branches the document of a job lists.
    private static final int BRANCHES = 100;

    private BranchDocument() {}

    static void put(Job job, JsonObject.Builder json) {
        var branches = new ArrayList<JsonValue>();
        for (var branch : job.branches()) {
            if (branches.size() < BRANCHES && (branch.id() == 0 || !branch.isOver())) {
                branches.add(of(job, branch));
            }
        }
        json.put("branches", new JsonArray(branches));
        if (!job.signals().waiting().isEmpty()) {
            var counts = new LinkedHashMap<String, Integer>();
            job.signals().waiting().forEach(each -> counts.merge(each.signal(), 1, Integer::sum));
            var signals = JsonObject.builder();
            counts.forEach(signals::put);
            json.put("signals", signals.build());
        }
    }

    private static JsonObject of(Job job, Branch branch) {
        var json =
                JsonObject.builder()
                        .put("branch", branch.id())
                        .put("state", branch.state())
                        .put(
                                "status",
                                branch.id() == 0 || job.isFinal() ? job.status() : branch.status());
        if (branch.id() != 0) {
            json.put("parent", branch.parent());
        }
        if (!(job.phase() instanceof Job.Active)) {
            return json.build();
        }
        switch (branch.doing()) {
            case Branch.BackingOff(var timer, var _, var _) ->
                    putUntil(Optional.of(timer), Optional.of(branch.state()), json);
            case Branch.Waiting(var timer, var next) ->
                    putUntil(Optional.of(timer), Optional.of(next), json);
            case Branch.AwaitingSignal(
                            var _,
                            var signal,
                            var next,
                            var deadline,
                            var otherwise) -> {
                json.put("signal", signal).put("next", next);
                putUntil(deadline, otherwise, json);
            }
            case Branch.AwaitingApproval(var effect, var approval, var deadline) -> {
                json.put("approval", effect.event())
                        .put("message", approval.message())
                        .put("choices", ApiJson.of(approval.choices().states()));
                putUntil(deadline, approval.otherwise(), json);
            }
            case Branch.AwaitingTask(int task, var _) -> json.put("task", task);
            case Branch.AwaitingTasks(var group) ->
                    json.put("first", group.first()).put("count", group.count());
            case Branch.AwaitingChild(int child, var _) -> json.put("child", child);
            case Branch.AwaitingChildren(var group) ->
                    json.put("first", group.first())
                            .put("count", group.count())
                            .put("window", group.window())
                            .put("finished", group.succeeded())
                            .put("not_finished", group.failed());
            case Branch.AwaitingBranches(var group) ->
                    json.put("first", group.first()).put("count", group.count());
            case Branch.Stepping stepping -> json.put("attempt", stepping.failures() + 1);
            case Branch.Over _, Branch.Stopped _ -> {
                // nothing any more
            }
        }
        return json.build();
    }

    private static void putUntil(
            Optional<Timer> timer, Optional<String> then, JsonObject.Builder json) {
        timer.ifPresent(set -> json.put("until", ApiJson.of(set.at())));
        then.ifPresent(state -> json.put("then", state));
    }
}
