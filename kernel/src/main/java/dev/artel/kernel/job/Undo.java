package dev.artel.kernel.job;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;

/// What a job has done and would undo if it came to a bad end.
///
/// @param declared by strand, what the strand waits for and how that is undone
/// @param done what has been done, or may have been, in that order
/// @param undone what has been undone or could not be, in that order
/// @param running how undoing goes, once it has begun
public record Undo(
        SequencedMap<Integer, Done> declared,
        List<Done> done,
        List<Undone> undone,
        Optional<Running> running) {
    /// Nothing.
    public static final Undo NONE =
            new Undo(new LinkedHashMap<>(), List.of(), List.of(), Optional.empty());

    /// Copies the collections.
    public Undo {
        declared = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(declared));
        done = List.copyOf(done);
        undone = List.copyOf(undone);
    }

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
        return undone.subList(running.map(Running::before).orElse(0), undone.size()).stream()
                .flatMap(one ->
                        one
                                .failure()
                                .map(why -> "state " + one.what().state() + ": " + why)
                                .stream())
                .toList();
    }

    Undo declare(Done what) {
        var more = new LinkedHashMap<>(declared);
        more.put(what.strand(), what);
        return new Undo(more, done, undone, running);
    }

    Undo undeclare(int strand) {
        if (!declared.containsKey(strand)) {
            return this;
        }
        var less = new LinkedHashMap<>(declared);
        less.remove(strand);
        return new Undo(less, done, undone, running);
    }

    /// What `strand` waited for was done, or nobody knows that it was not.
    Undo complete(int strand) {
        var what = declared.get(strand);
        if (what == null || (running.isPresent() && !isWaiting())) {
            return this;
        }
        var more = new ArrayList<>(done);
        more.add(what);
        return new Undo(undeclare(strand).declared, more, undone, running);
    }

    /// What is still to be done, by whoever goes on with it, counts no more.
    Undo withoutDeclared() {
        return new Undo(new LinkedHashMap<>(), done, undone, running);
    }

    /// @param atWork the strands whose children may have finished before they knew that they were not wanted
    Undo begin(Running how, List<Integer> atWork) {
        var left = new LinkedHashMap<>(declared);
        left.keySet().retainAll(atWork);
        return new Undo(left, done, undone, Optional.of(how));
    }

    Undo over() {
        return new Undo(declared, done, undone, Optional.empty());
    }

    Undo withoutGrace() {
        return new Undo(
                new LinkedHashMap<>(),
                done,
                undone,
                running.map(it ->
                        new Running(
                                it.aim(), it.strand(), it.kept(), it.before(), Optional.empty())));
    }

    Undo undone(Optional<String> failure) {
        var more = new ArrayList<>(undone);
        more.add(new Undone(done.getLast(), failure));
        return new Undo(declared, done.subList(0, done.size() - 1), more, running);
    }
}
