package dev.artel.kernel.compensation;

import dev.artel.kernel.branch.StateVisit;
import dev.artel.kernel.job.JobOutcome;
import dev.artel.kernel.job.PersistentVector;
import dev.artel.kernel.timer.Timer;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/// What a job has done and would compensate if it failed or was cancelled.
///
/// Its changes share structure: a job with thousands of branches changes it with each of their events.
///
/// @param declared at the number of each branch, what the branch waits for and how that is compensated; branches behind the last
///     one with something are left out
/// @param registered what has been done, or may have been, in that order
/// @param compensated what has been compensated or could not be, in that order
/// @param running how compensation goes, once it has begun
public record CompensationLog(
        PersistentVector<Optional<Entry>> declared,
        PersistentVector<Entry> registered,
        PersistentVector<Compensated> compensated,
        Optional<Running> running) {
    /// Nothing.
    public static final CompensationLog NONE =
            new CompensationLog(
                    PersistentVector.empty(),
                    PersistentVector.empty(),
                    PersistentVector.empty(),
                    Optional.empty());

    /// Something that can be compensated.
    ///
    /// @param state in which it was done
    /// @param firstTask the number of the first of its tasks, if it is tasks
    /// @param firstChild the number of the first of its children, if it is children
    public record Entry(int branch, String state, Compensation by, int firstTask, int firstChild) {
        private boolean isByState() {
            return by instanceof Compensation.ByState;
        }
    }

    /// Something for which a compensation has run.
    ///
    /// @param failure why it could not be compensated
    public record Compensated(Entry what, Optional<String> failure) {}

    /// What compensation is for.
    public sealed interface Aim {}

    /// The job comes to `outcome` if all of it succeeds.
    public record End(JobOutcome outcome) implements Aim {}

    /// A person takes the job back.
    ///
    /// @param by who
    public record Back(StateVisit to, String by) implements Aim {}

    /// Compensation goes on.
    ///
    /// @param branch the line in which compensations run, one after the other
    /// @param kept how much of what has been done stays
    /// @param before how much had been compensated earlier
    /// @param grace until when workers and children may give up before it begins; empty once it has
    public record Running(Aim aim, int branch, int kept, int before, Optional<Timer> grace) {}

    /// Whether `branch` is the one in which compensations run.
    public boolean isAt(int branch) {
        return running.filter(it -> it.branch() == branch).isPresent();
    }

    /// What `branch` compensates just now, if it is the one in which compensations run.
    public Optional<Entry> compensating(int branch) {
        return isAt(branch) && isLeft() ? Optional.of(registered.getLast()) : Optional.empty();
    }

    /// Whether it waits for workers and children to give up.
    public boolean isWaiting() {
        return running.flatMap(Running::grace).isPresent();
    }

    /// Whether states of the definition are to compensate something that was done, or is under way.
    public boolean needsStates() {
        return registered.stream().anyMatch(Entry::isByState)
                || declared.stream().flatMap(Optional::stream).anyMatch(Entry::isByState);
    }

    /// Whether there is more to compensate.
    public boolean isLeft() {
        return registered.size() > running.map(Running::kept).orElse(0);
    }

    /// Why things could not be compensated since this run of compensation began, in words.
    public List<String> failures() {
        return IntStream.range(running.map(Running::before).orElse(0), compensated.size())
                .mapToObj(compensated::get)
                .flatMap(one ->
                        one
                                .failure()
                                .map(why -> "state " + one.what().state() + ": " + why)
                                .stream())
                .toList();
    }

    /// What `branch` waits for, if that can be compensated.
    public Optional<Entry> declared(int branch) {
        return branch < declared.size() ? declared.get(branch) : Optional.empty();
    }

    public CompensationLog declare(Entry what) {
        var more = declared;
        while (more.size() <= what.branch()) {
            more = more.append(Optional.empty());
        }
        return with(more.set(what.branch(), Optional.of(what)));
    }

    public CompensationLog undeclare(int branch) {
        return declared(branch).isEmpty() ? this : with(declared.set(branch, Optional.empty()));
    }

    private CompensationLog with(PersistentVector<Optional<Entry>> all) {
        return new CompensationLog(all, registered, compensated, running);
    }

    /// What `branch` waited for was done, or it is not certain that it was not.
    public CompensationLog complete(int branch) {
        var what = declared(branch);
        if (what.isEmpty() || (running.isPresent() && !isWaiting())) {
            return this;
        }
        return new CompensationLog(
                undeclare(branch).declared, registered.append(what.get()), compensated, running);
    }

    /// Drops the compensations that have not begun.
    public CompensationLog withoutDeclared() {
        return with(PersistentVector.empty());
    }

    /// Starts to compensate.
    ///
    /// @param atWork the branches whose children may have finished before they knew that they were not wanted
    public CompensationLog begin(Running how, List<Integer> atWork) {
        var left =
                new CompensationLog(
                        PersistentVector.empty(), registered, compensated, Optional.of(how));
        for (var branch : atWork) {
            var what = declared(branch);
            if (what.isPresent()) {
                left = left.declare(what.get());
            }
        }
        return left;
    }

    public CompensationLog over() {
        return new CompensationLog(declared, registered, compensated, Optional.empty());
    }

    public CompensationLog withoutGrace() {
        return new CompensationLog(
                PersistentVector.empty(),
                registered,
                compensated,
                running.map(it ->
                        new Running(
                                it.aim(), it.branch(), it.kept(), it.before(), Optional.empty())));
    }

    public CompensationLog compensated(Optional<String> failure) {
        return new CompensationLog(
                declared,
                registered.withoutLast(),
                compensated.append(new Compensated(registered.getLast(), failure)),
                running);
    }
}
