package dev.artel.engine.core.dispatch;

import dev.artel.kernel.job.JobId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Which slots the tasks of a job take up: lists whose links are in the slots. Single-threaded.
final class SlotsByJob {
    private final Map<JobId, ConnectedWorker.Slot> first = new LinkedHashMap<>();

    void add(ConnectedWorker.Slot slot) {
        var next = first.put(slot.job, slot);
        slot.after = next;
        if (next != null) {
            next.before = slot;
        }
    }

    void remove(ConnectedWorker.Slot slot) {
        var before = slot.before;
        var after = slot.after;
        if (after != null) {
            after.before = before;
        }
        if (before != null) {
            before.after = after;
        } else if (after != null) {
            first.put(slot.job, after);
        } else {
            first.remove(slot.job);
        }
    }

    /// The slots of a job.
    List<ConnectedWorker.Slot> of(JobId job) {
        var slots = new ArrayList<ConnectedWorker.Slot>();
        for (var slot = first.get(job); slot != null; slot = slot.after) {
            slots.add(slot);
        }
        return slots;
    }
}
