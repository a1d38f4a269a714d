package dev.artel.server.api;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.job.Alarm;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.Strand;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Optional;

/// What each strand of a job is about at this moment, and which signals nobody has taken yet.
final class StrandDocument {
    /// How many strands the document of a job lists.
    private static final int STRANDS = 100;

    private StrandDocument() {}

    static void put(Job job, JsonObject.Builder json) {
        var strands = new ArrayList<JsonValue>();
        for (var strand : job.strands()) {
            if (strands.size() < STRANDS && (strand.id() == 0 || !strand.isOver())) {
                strands.add(of(job, strand));
            }
        }
        json.put("strands", new JsonArray(strands));
        if (!job.signals().waiting().isEmpty()) {
            var counts = new LinkedHashMap<String, Integer>();
            job.signals().waiting().forEach(each -> counts.merge(each.signal(), 1, Integer::sum));
            var signals = JsonObject.builder();
            counts.forEach(signals::put);
            json.put("signals", signals.build());
        }
    }

    private static JsonObject of(Job job, Strand strand) {
        var json =
                JsonObject.builder()
                        .put("strand", strand.id())
                        .put("state", strand.state())
                        .put(
                                "status",
                                strand.id() == 0 || job.isFinal() ? job.status() : strand.status());
        if (strand.id() != 0) {
            json.put("parent", strand.parent());
        }
        if (!(job.phase() instanceof Job.Active)) {
            return json.build();
        }
        switch (strand.doing()) {
            case Strand.BackingOff(var alarm, var _, var _) ->
                    putUntil(Optional.of(alarm), Optional.of(strand.state()), json);
            case Strand.Waiting(var alarm, var next) ->
                    putUntil(Optional.of(alarm), Optional.of(next), json);
            case Strand.AwaitingSignal(
                            var _,
                            var signal,
                            var next,
                            var deadline,
                            var otherwise) -> {
                json.put("signal", signal).put("next", next);
                putUntil(deadline, otherwise, json);
            }
            case Strand.AwaitingApproval(var effect, var approval, var deadline) -> {
                json.put("approval", effect.event())
                        .put("message", approval.message())
                        .put("choices", Values.of(approval.choices().states()));
                putUntil(deadline, approval.otherwise(), json);
            }
            case Strand.AwaitingTask(int task, var _) -> json.put("task", task);
            case Strand.AwaitingTasks(var group) ->
                    json.put("first", group.first()).put("count", group.count());
            case Strand.AwaitingChild(int child, var _) -> json.put("child", child);
            case Strand.AwaitingChildren(var group) ->
                    json.put("first", group.first())
                            .put("count", group.count())
                            .put("window", group.window())
                            .put("finished", group.succeeded())
                            .put("not_finished", group.failed());
            case Strand.AwaitingBranches(var group) ->
                    json.put("first", group.first()).put("count", group.count());
            case Strand.Stepping stepping -> json.put("attempt", stepping.failures() + 1);
            case Strand.Over _, Strand.Stopped _ -> {
                // nothing any more
            }
        }
        return json.build();
    }

    private static void putUntil(
            Optional<Alarm> alarm, Optional<String> then, JsonObject.Builder json) {
        alarm.ifPresent(set -> json.put("until", Values.of(set.at())));
        then.ifPresent(state -> json.put("then", state));
    }
}
