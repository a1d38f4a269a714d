package dev.artel.kernel.child;

import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.job.PersistentVector;
import java.util.Optional;

/// The other jobs of its tree that a job deals with.
///
/// @param children those that it started; a child's number is its index
/// @param parentNotification the report that its parent has not confirmed yet
/// @param lent how many of its steps its children have used or may use (derived)
/// @param used how many states those that have ended have entered, of those that were waited for (derived)
/// @param pending how many children are still to be started or stopped (derived)
/// @param leaving how many children are no longer wanted and have not ended (derived)
public record Children(
        PersistentVector<Child> children,
        Optional<ParentNotification> parentNotification,
        int lent,
        int used,
        int pending,
        int leaving) {
    /// A job alone.
    public static final Children NONE =
            new Children(PersistentVector.empty(), Optional.empty(), 0, 0, 0, 0);

    /// A report to a parent that is pending.
    ///
    /// @param id the effect that does so
    /// @param outcome see [ChildReport#outcome]
    /// @param reason see [ChildReport#reason]
    public record ParentNotification(EffectId id, String outcome, Optional<String> reason) {}

    /// Whether nothing has to be done for any of them.
    public boolean isSettled() {
        return pending == 0 && parentNotification.isEmpty();
    }

    /// Whether the end of a child is waited for.
    public boolean isWaiting() {
        return children.stream()
                .anyMatch(child ->
                        child.state() instanceof Child.Running
                                || (child.state() instanceof Child.Asked
                                        && child.spec().mode().isAwaited()));
    }

    /// With one more child.
    public Children and(Child child) {
        return replaced(Optional.empty(), child, children.append(child));
    }

    /// With `child` in place of the one of its number.
    public Children with(Child child) {
        return replaced(
                Optional.of(children.get(child.number())),
                child,
                children.set(child.number(), child));
    }

    private Children replaced(Optional<Child> before, Child after, PersistentVector<Child> all) {
        return new Children(
                all,
                parentNotification,
                lent + after.lent() - before.map(Child::lent).orElse(0),
                used + after.used() - before.map(Child::used).orElse(0),
                pending + one(after.isPending()) - before.map(it -> one(it.isPending())).orElse(0),
                leaving + one(after.isLeaving()) - before.map(it -> one(it.isLeaving())).orElse(0));
    }

    public Children parentNotification(Optional<ParentNotification> next) {
        return new Children(children, next, lent, used, pending, leaving);
    }

    private static int one(boolean counts) {
        return counts ? 1 : 0;
    }
}
