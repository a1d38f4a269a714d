package dev.artel.server.api.jobs;

import dev.artel.engine.shell.JobObserver;
import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.guard.GuardUse;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobEvent;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Reports jobs that come near to what their guards allow, before the guards stop them: once for each job and guard, in a figure, and of
/// the first of a blueprint within an hour in the log. It forgets with a restart what it has reported. Safe for use by many threads.
public final class GuardWarnings implements JobObserver {
    private static final Logger LOG = LoggerFactory.getLogger(GuardWarnings.class);
    private static final Duration QUIET = Duration.ofHours(1);

    /// How many jobs, and how many blueprints with their guards, it remembers.
    private static final int MOST = 10_000;

    private final InstantSource clock;
    private final Map<String, LongAdder> counts = new LinkedHashMap<>();
    private final LinkedHashSet<About> reported = new LinkedHashSet<>();
    private final Map<About, Instant> logged = new LinkedHashMap<>();

    private record About(String whom, String guard) {}

    /// Nothing was reported yet.
    public GuardWarnings(InstantSource clock) {
        this.clock = clock;
        GuardUse.GUARDS.forEach(guard -> counts.put(guard, new LongAdder()));
    }

    /// How many jobs have come near to what each guard allows.
    public Map<String, LongAdder> counts() {
        return counts;
    }

    @Override
    public void happened(Job job, List<JobEvent> events) {
        var near = GuardUse.nearlySpent(job);
        if (!near.isEmpty()) {
            near.forEach(use -> report(job, use));
        }
    }

    private void report(Job job, GuardUse use) {
        if (!isNew(job, use)) {
            return;
        }
        Objects.requireNonNull(counts.get(use.guard()), use.guard()).increment();
        if (isLoud(job.spec().blueprint().group(), use)) {
            LOG.atWarn()
                    .addKeyValue("job", job.id())
                    .addKeyValue("blueprint", job.spec().blueprint().name())
                    .addKeyValue("guard", use.guard())
                    .addKeyValue("used", use.text())
                    .addKeyValue("advice", use.advice())
                    .log("a job has nearly used up what its guards allow");
        }
    }

    private synchronized boolean isNew(Job job, GuardUse use) {
        if (reported.size() >= MOST) {
            reported.removeFirst();
        }
        return reported.add(new About(job.id().value(), use.guard()));
    }

    private synchronized boolean isLoud(String blueprint, GuardUse use) {
        var about = new About(blueprint, use.guard());
        var now = clock.instant();
        var last = logged.get(about);
        if (last != null && last.plus(QUIET).isAfter(now)) {
            return false;
        }
        logged.remove(about);
        if (logged.size() >= MOST) {
            logged.remove(logged.keySet().iterator().next());
        }
        logged.put(about, now);
        return true;
    }

    /// What `job` has nearly used up, as the member `warnings`; no member if it has used up little.
    static void put(Job job, JsonObject.Builder json) {
        var near = GuardUse.nearlySpent(job);
        if (!near.isEmpty()) {
            json.put("warnings", new JsonArray(near.stream().map(GuardWarnings::of).toList()));
        }
    }

    private static JsonValue of(GuardUse use) {
        return JsonObject.builder()
                .put("guard", use.guard())
                .put("used", use.used())
                .put("allowed", use.allowed())
                .put("text", use.text())
                .put("advice", use.advice())
                .build();
    }
}
