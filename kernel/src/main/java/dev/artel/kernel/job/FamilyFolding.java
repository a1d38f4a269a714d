package dev.artel.kernel.job;

import dev.artel.json.JsonObject;
import dev.artel.kernel.task.JobData;
import dev.artel.kernel.task.Payload;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;

/// The part of [Folding] that is about other jobs.
final class FamilyFolding {
    /// Many children may be stopped by one event: the child's number keeps the ids apart. Behind those of the leases that
    /// the same event revokes.
    private static final int STOP_ORDINALS = 3 << 24;

    /// Behind those of the phase.
    private static final int TELLING = (1 << 25) - 1;

    private final JobId id;
    private final List<Effect> asked;
    private final List<Effect> ended;
    private Family family;

    FamilyFolding(JobId id, Family family, List<Effect> asked, List<Effect> ended) {
        this.id = id;
        this.family = family;
        this.asked = asked;
        this.ended = ended;
    }

    Family family() {
        return family;
    }

    Child child(int number) {
        return family.children().get(number);
    }

    /// The child that is asked for by the event of number `version`.
    Child request(JobEvent.ChildRequested e, long version, JobSpec spec) {
        var start = new EffectId(version, 0);
        var child =
                new Child(
                        family.children().size(),
                        JobId.ofChild(id, start),
                        e.strand(),
                        start,
                        e.spec(),
                        e.steps(),
                        new Child.Asked());
        family = family.and(child);
        asked.add(FamilyEffects.ofChild(id, spec, child).orElseThrow());
        return child;
    }

    void started(int number, long version, JobSpec spec) {
        var child = child(number);
        become(
                switch (child.state()) {
                    case Child.Unwanted _ ->
                            child.with(new Child.Stopping(new EffectId(version, 0)));
                    case Child.Asked _ when child.spec().mode().isAwaited() ->
                            child.with(new Child.Running(new EffectId(version, 0)));
                    case Child.Asked _ -> child.with(new Child.Free());
                    case Child.Running _,
                            Child.Free _,
                            Child.Stopping _,
                            Child.Stopped _,
                            Child.Refused _,
                            Child.Ended _ ->
                            child;
                },
                spec);
    }

    void refused(JobEvent.ChildRefused e, JobSpec spec) {
        become(child(e.child()).with(new Child.Refused(e.reason())), spec);
    }

    void stopped(int number, JobSpec spec) {
        become(child(number).with(new Child.Stopped()), spec);
    }

    void ended(JobEvent.ChildEnded e, JobSpec spec) {
        var report = e.report();
        become(child(e.child()).with(new Child.Ended(report.outcome(), report.steps())), spec);
    }

    /// Nobody waits for the child any more.
    void unwant(int number, long version, JobSpec spec) {
        var child = child(number);
        switch (child.state()) {
            case Child.Asked _ when child.spec().mode().isAwaited() ->
                    become(child.with(new Child.Unwanted()), spec);
            case Child.Running _ -> {
                var stop = new EffectId(version, STOP_ORDINALS + number);
                become(child.with(new Child.Stopping(stop)), spec);
            }
            case Child.Asked _,
                    Child.Unwanted _,
                    Child.Free _,
                    Child.Stopping _,
                    Child.Stopped _,
                    Child.Refused _,
                    Child.Ended _ -> {}
        }
    }

    void unwantAll(long version, JobSpec spec) {
        for (var number = 0; number < family.children().size(); number++) {
            unwant(number, version, spec);
        }
    }

    /// The parent is to be told, if there is one that wants to know.
    void tell(String outcome, Optional<String> reason, long version, JobSpec spec) {
        if (spec.lineage().isEmpty() || !spec.lineage().get().mode().isAwaited()) {
            return;
        }
        withdrawTelling(spec);
        family =
                family.telling(
                        Optional.of(
                                new Family.Telling(
                                        new EffectId(version, TELLING), outcome, reason)));
        FamilyEffects.ofTelling(spec, family).ifPresent(asked::add);
    }

    void withdrawTelling(JobSpec spec) {
        FamilyEffects.ofTelling(spec, family).ifPresent(ended::add);
        family = family.telling(Optional.empty());
    }

    private void become(Child next, JobSpec spec) {
        var before = child(next.number());
        var was = FamilyEffects.ofChild(id, spec, before);
        var is = FamilyEffects.ofChild(id, spec, next);
        if (!was.equals(is)) {
            was.ifPresent(ended::add);
            is.ifPresent(asked::add);
        }
        family = family.with(next);
    }

    /// What a child has said, under its name.
    static JobData said(Child child, Payload said) {
        var values = new LinkedHashMap<String, Payload>();
        values.put(child.spec().as(), said);
        return new JobData(values);
    }

    /// What a child that never began has to say.
    static Payload refusal(String reason) {
        return Payload.of(
                JsonObject.builder()
                        .put("outcome", Outcomes.FAILED)
                        .put("error_message", reason)
                        .build());
    }
}
