package dev.artel.engine.core.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonObject;
import dev.artel.kernel.attempt.Lease;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.engine.HandOut;
import dev.artel.kernel.fleet.Slots;
import dev.artel.kernel.fleet.WorkerProfile;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.placement.WaitReason;
import dev.artel.kernel.task.TaskOutline;
import dev.artel.kernel.task.TaskSpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// The slots of a category that clients share.
final class ClientSharesTest implements DispatchSink {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final WorkerId WORKER = new WorkerId("w");

    private final DispatchCore core = new DispatchCore(new SplittableRandom(1));

    /// Of each client what it was granted.
    private final Map<String, List<JobCommand.Grant>> granted = new LinkedHashMap<>();

    private int number;
    private long asks;

    @Override
    public void grant(JobId job, JobCommand.Grant grant) {
        granted.computeIfAbsent(job.value(), _ -> new ArrayList<>()).add(grant);
    }

    @Override
    public void handOut(long ask, WorkerId worker, List<HandOut> tasks) {
        throw new AssertionError("nothing was made durable");
    }

    private static Slots slots(int limit) {
        var categories = new LinkedHashMap<String, String>();
        categories.put("ask", "requests");
        var limits = new LinkedHashMap<String, Integer>();
        limits.put("requests", limit);
        return new Slots(32, categories, limits);
    }

    private void joins(Slots slots) {
        core.joined(WorkerProfile.of(WORKER, List.of("ask", "set"), 32).with(slots), NOW, this);
        asks++;
        core.asked(asks, WORKER, 32, NOW, this);
    }

    /// So many tasks of a client, whose job has its name.
    private void offer(String client, String type, int tasks) {
        for (var i = 0; i < tasks; i++) {
            number++;
            core.offer(
                    new JobId(client),
                    new Effect.Offer(
                            new EffectId(1, number),
                            number,
                            1,
                            TaskOutline.of("blueprint", TaskSpec.of(type, JsonObject.EMPTY)),
                            0,
                            client,
                            NOW,
                            NOW,
                            List.of()),
                    NOW,
                    this);
        }
    }

    private List<JobCommand.Grant> grantsOf(String client) {
        return granted.getOrDefault(client, List.of());
    }

    private int granted(String client) {
        return grantsOf(client).size();
    }

    /// Some tasks of a client end.
    private void end(String client, int from, int until) {
        for (var grant : List.copyOf(grantsOf(client)).subList(from, until)) {
            core.freed(new Lease(grant.token(), WORKER, 1, NOW), false, NOW, this);
        }
    }

    /// Why the tasks of a client wait.
    private List<String> why(String client) {
        var all = IntStream.rangeClosed(1, number).boxed().toList();
        return core.questions().whyNotYet(new JobId(client), all, NOW).values().stream()
                .map(WaitReason::text)
                .distinct()
                .toList();
    }

    /// Trap: the requests of one client to servers that answer slowly take all slots, and those of all others wait.
    @Test
    void aClient_hasHalfOfTheSlotsThatTheOthersLeave_andTheReasonHasTheNumbers() {
        joins(slots(24).shared());

        offer("slow", "ask", 30);
        offer("other", "ask", 30);
        offer("slow", "set", 1);

        assertThat(granted("slow")).isEqualTo(12 + 1);
        assertThat(granted("other")).isEqualTo(6);
        assertThat(why("slow"))
                .anyMatch(text ->
                        text.contains("w has 12 of 12 slots for requests of client slow taken"));
    }

    @Test
    void aSlotThatFrees_isForAClientThatMayHaveIt() {
        joins(slots(24).shared());
        offer("slow", "ask", 30);
        offer("other", "ask", 30);

        end("slow", 0, 1);

        assertThat(granted("slow")).isEqualTo(12);
        assertThat(granted("other")).isEqualTo(6);

        end("slow", 1, 5);

        // Both have eight.
        assertThat(granted("slow") - 5).isEqualTo(8);
        assertThat(granted("other")).isEqualTo(8);
    }

    @Test
    void fewSlots_andThoseOfOtherWorkers_areNotShared() {
        joins(slots(7).shared());
        offer("slow", "ask", 30);
        assertThat(granted("slow")).isEqualTo(7);

        joins(slots(24));
        assertThat(granted("slow")).isEqualTo(24);
    }
}
