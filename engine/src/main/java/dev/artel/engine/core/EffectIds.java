package dev.artel.engine.core;

import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.EffectId;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// By which ids some effects are known. Nearly every commit of a job has a few effects, and a fan-out has a hundred thousand: few are looked
/// through, and only many are hashed. Single-threaded; the effects must not change while it is in use.
final class EffectIds {
    private static final int FEW = 8;

    private final List<Effect> effects;

    /// Null where they are few.
    private final @Nullable Set<EffectId> many;

    EffectIds(List<Effect> effects) {
        this.effects = effects;
        this.many = effects.size() <= FEW ? null : hashed(effects);
    }

    private static Set<EffectId> hashed(List<Effect> effects) {
        var ids = LinkedHashSet.<EffectId>newLinkedHashSet(effects.size());
        for (var effect : effects) {
            ids.add(effect.id());
        }
        return ids;
    }

    boolean contains(EffectId id) {
        if (many != null) {
            return many.contains(id);
        }
        for (var effect : effects) {
            if (effect.id().equals(id)) {
                return true;
            }
        }
        return false;
    }

    /// Those of `others` that have none of these ids, in their order; `others` itself if that is all of them.
    List<Effect> absentFrom(List<Effect> others) {
        if (effects.isEmpty() || others.isEmpty()) {
            return others;
        }
        var left = new ArrayList<Effect>(others.size());
        for (var other : others) {
            if (!contains(other.id())) {
                left.add(other);
            }
        }
        return left;
    }
}
