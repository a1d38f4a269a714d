package dev.artel.kernel.child;

import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.job.JobId;
import java.util.List;

/// Where a job that another one started comes from.
///
/// @param parent who started it
/// @param start the parent's effect that started it; the parent knows it by that
/// @param child its number among the parent's children
/// @param root the first of the tree
/// @param path the blueprints from the root down to the parent
/// @param steps how many states it and its descendants may enter together; [#AS_ITS_BLUEPRINT_ALLOWS] for a child that lives by
/// itself
/// @param depth how many generations the tree may have
/// @param mode what the parent wants to know of it
public record ParentLink(
        JobId parent,
        EffectId start,
        int child,
        JobId root,
        List<String> path,
        int steps,
        int depth,
        ChildMode mode) {
    /// Of a child that lives by itself and that was allotted no other number.
    public static final int AS_ITS_BLUEPRINT_ALLOWS = 0;

    /// Copies `path`.
    public ParentLink {
        path = List.copyOf(path);
    }
}
