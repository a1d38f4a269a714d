package dev.artel.kernel.job;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/// What a job has done and would undo if it came to a bad end.
///
/// Its changes share structure: a job with thousands of branches changes it with each of their events.
///
/// @param declared at the number of each strand, what the strand waits for and how that is undone; strands behind the last
///     one with something are left out
/// @param done what has been done, or may have been, in that order
/// @param undone what has been undone or could not be, in that order
/// @param running how undoing goes, once it has begun
public record Undo(
        PersistentVector<Optional<Done>> declared,
        PersistentVector<Done> done,
        PersistentVector<Undone> undone,
        Optional<Running> running) {
    /// Nothing.
    public static final Undo NONE =
            new Undo(
                    PersistentVector.empty(),
                    PersistentVector.empty(),
                    PersistentVector.empty(),
                    Optional.empty());

    /// Something that can be undone.
    ///
    /// @param state in which it was done
    public record Done(int strand, String state, Compensation by) {}

    /// Something for which a compensation has run.
    ///
    /// @param failure why it could not be undone
    public record Undone(Done what, Optional<String> failure) {}

    /// What undoing is for.
    public sealed interface Aim {}

    /// The job comes to `outcome` if all of it succeeds.
    public record End(JobOutcome outcome) implements Aim {}

    /// A person takes the job back.
    ///
    /// @param by who
    public record Back(Visit to, String by) implements Aim {}

    /// Undoing goes on.
    ///
    /// @param strand the line in which compensations run, one after the other
    /// @param kept how much of what has been done stays
    /// @param before how much had been undone earlier
    /// @param grace until when workers and children may give up before it begins; empty once it has
    public record Running(Aim aim, int strand, int kept, int before, Optional<Alarm> grace) {}

    /// Whether `strand` is the one in which compensations run.
    boolean isAt(int strand) {
        return running.filter(it -> it.strand() == strand).isPresent();
    }

    /// Whether it waits for workers and children to give up.
    boolean isWaiting() {
        return running.flatMap(Running::grace).isPresent();
    }

    /// Whether there is more to undo.
    boolean isLeft() {
        return done.size() > running.map(Running::kept).orElse(0);
    }

    /// Why things could not be undone since this run of undoing began, in words.
    List<String> failures() {
        return IntStream.range(running.map(Running::before).orElse(0), undone.size())
                .mapToObj(undone::get)
                .flatMap(one ->
                        one
                                .failure()
                                .map(why -> "state " + one.what().state() + ": " + why)
                                .stream())
                .toList();
    }

    /// What `strand` waits for, if that can be undone.
    Optional<Done> declared(int strand) {
        return strand < declared.size() ? declared.get(strand) : Optional.empty();
    }

    Undo declare(Done what) {
        var more = declared;
        while (more.size() <= what.strand()) {
            more = more.append(Optional.empty());
        }
        return with(more.set(what.strand(), Optional.of(what)));
    }

    Undo undeclare(int strand) {
        return declared(strand).isEmpty() ? this : with(declared.set(strand, Optional.empty()));
    }

    private Undo with(PersistentVector<Optional<Done>> all) {
        return new Undo(all, done, undone, running);
    }

    /// What `strand` waited for was done, or nobody knows that it was not.
    Undo complete(int strand) {
        var what = declared(strand);
        if (what.isEmpty() || (running.isPresent() && !isWaiting())) {
            return this;
        }
        return new Undo(undeclare(strand).declared, done.append(what.get()), undone, running);
    }

    /// Drops the compensations that have not begun.
    Undo withoutDeclared() {
        return with(PersistentVector.empty());
    }

    /// @param atWork the strands whose children may have finished before they knew that they were not wanted
    Undo begin(Running how, List<Integer> atWork) {
        var left = new Undo(PersistentVector.empty(), done, undone, Optional.of(how));
        for (var strand : atWork) {
            var what = declared(strand);
            if (what.isPresent()) {
                left = left.declare(what.get());
            }
        }
        return left;
    }

    Undo over() {
        return new Undo(declared, done, undone, Optional.empty());
    }

    Undo withoutGrace() {
        return new Undo(
                PersistentVector.empty(),
                done,
                undone,
                running.map(it ->
                        new Running(
                                it.aim(), it.strand(), it.kept(), it.before(), Optional.empty())));
    }

    Undo undone(Optional<String> failure) {
        return new Undo(
                declared,
                done.withoutLast(),
                undone.append(new Undone(done.getLast(), failure)),
                running);
    }
}
