package dev.artel.kernel.job;

import java.lang.reflect.Field;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

/// Looks at the nodes of vectors, to see what two of them share.
public final class PersistentVectorNodes {
    private PersistentVectorNodes() {}

    /// How many nodes `after` has that `before` has not.
    public static int copied(PersistentVector<?> before, PersistentVector<?> after) {
        Set<Object> old = Collections.newSetFromMap(new IdentityHashMap<>());
        collect(root(before), old);
        return countWithout(old, root(after));
    }

    /// How many nodes there are from the root to an element.
    static int depth(PersistentVector<?> vector) {
        var depth = 1;
        for (var capacity = 32L; capacity < Math.max(vector.size(), 33); capacity *= 32) {
            depth++;
        }
        return depth;
    }

    private static void collect(Object node, Set<Object> nodes) {
        if (node instanceof Object[] children) {
            nodes.add(node);
            for (var child : children) {
                collect(child, nodes);
            }
        }
    }

    private static int countWithout(Set<Object> old, Object node) {
        if (!(node instanceof Object[] children) || old.contains(node)) {
            return 0;
        }
        var copies = 1;
        for (var child : children) {
            copies += countWithout(old, child);
        }
        return copies;
    }

    private static Object root(PersistentVector<?> vector) {
        try {
            Field root = PersistentVector.class.getDeclaredField("root");
            root.setAccessible(true);
            return root.get(vector);
        } catch (ReflectiveOperationException renamed) {
            throw new LinkageError("a persistent vector has a field 'root'", renamed);
        }
    }
}
