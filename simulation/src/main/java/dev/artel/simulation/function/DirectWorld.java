package dev.artel.simulation.function;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/// Where nothing fails that is not to fail, and no time passes: what is to come of a function, and what has to come from outside for that.
final class DirectWorld implements FunctionWorld {
    private final long seed;
    private final ArrayDeque<Long> open = new ArrayDeque<>();

    /// The results of what is compensated if the function fails.
    private final List<Long> called = new ArrayList<>();

    private final List<String> signals = new ArrayList<>();
    private int approvals;

    DirectWorld(long seed) {
        this.seed = seed;
    }

    List<Long> called() {
        return called;
    }

    /// For which signals it waits, in that order.
    List<String> signals() {
        return signals;
    }

    /// How often it asks people.
    int approvals() {
        return approvals;
    }

    @Override
    public long call(boolean isSlow, long n) {
        called.add(RandomProgram.next(n));
        return RandomProgram.next(n);
    }

    @Override
    public void begin(boolean isSlow, long n) {
        open.add(call(isSlow, n));
    }

    @Override
    public long await() {
        return open.remove();
    }

    @Override
    public List<Long> all(List<Long> numbers) {
        return numbers.stream().map(RandomProgram::next).toList();
    }

    @Override
    public List<Long> map(List<Long> numbers) {
        return all(numbers);
    }

    @Override
    public void anyOf() {
        // whichever it is, its result comes later
    }

    @Override
    public void sleep(long millis) {
        // no time passes
    }

    @Override
    public long child(long n) {
        return RandomProgram.nextOfChild(n);
    }

    @Override
    public void beginChild(long n) {
        open.add(child(n));
    }

    @Override
    public List<Long> mapChildren(List<Long> numbers) {
        return numbers.stream().map(RandomProgram::nextOfChild).toList();
    }

    @Override
    public void start(long n) {
        // nothing comes of it here
    }

    @Override
    public boolean childFails(long n) {
        return true;
    }

    @Override
    public long retried(long n) {
        return RandomProgram.next(n);
    }

    @Override
    public boolean taskFails(long n) {
        return true;
    }

    @Override
    public long signal(String name) {
        signals.add(name);
        return RandomProgram.payload(seed, name);
    }

    @Override
    public boolean noSignal(String name) {
        return true;
    }

    @Override
    public boolean isApproved(long n) {
        approvals++;
        return RandomProgram.isApproved(seed);
    }

    @Override
    public long marked(Varying what, long n) {
        return RandomProgram.next(n);
    }
}
