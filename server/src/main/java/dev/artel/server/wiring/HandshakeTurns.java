package dev.artel.server.wiring;

import dev.artel.gateway.access.AddressBlock;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/// Which handshakes of TLS go on: few at once, since each computes for milliseconds, and addresses take turns, so that one that begins
/// thousands waits for itself. What waits has no thread, and what has come for it stays with the operating system. Safe for use by many
/// threads.
final class HandshakeTurns {
    /// Half of the processors: the others are for requests.
    static final int MOST = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);

    private final int most;
    private final Executor executor;

    /// Of each address those that wait, which are one at least; order: that of the turns.
    private final SequencedMap<String, SequencedSet<Step>> waiting = new LinkedHashMap<>();

    private int underWay;

    HandshakeTurns() {
        this(MOST, step -> Thread.ofVirtual().name("artel-request").start(step));
    }

    /// @param most how many go on at once
    /// @param executor has a thread for each that goes on
    HandshakeTurns(int most, Executor executor) {
        this.most = most;
        this.executor = executor;
    }

    private enum State {
        NEW,
        WAITING,
        UNDER_WAY,
        OVER
    }

    /// What is to be done about one handshake with what has come of it. Safe for use by many threads.
    final class Step {
        private final String address;
        private final Runnable work;
        private State state = State.NEW;

        private Step(String address, Runnable work) {
            this.address = address;
            this.work = work;
        }

        /// It waits for its turn from now on, or goes on at once if it needs none any more. Called once.
        void begin() {
            if (isToWait()) {
                goOn();
            } else {
                executor.execute(work);
            }
        }

        private boolean isToWait() {
            synchronized (waiting) {
                if (state != State.NEW) {
                    return false;
                }
                state = State.WAITING;
                waiting.computeIfAbsent(address, _ -> new LinkedHashSet<>()).add(this);
                return true;
            }
        }

        /// It needs no turn any more, since the handshake is done or the connection is gone: others come next, and what still waits goes on at
        /// once.
        void end() {
            if (endTurn()) {
                executor.execute(work);
            }
            goOn();
        }

        /// Whether it still waited.
        private boolean endTurn() {
            synchronized (waiting) {
                var before = state;
                state = State.OVER;
                if (before == State.WAITING) {
                    forget();
                } else if (before == State.UNDER_WAY) {
                    underWay--;
                }
                return before == State.WAITING;
            }
        }

        private void forget() {
            var ofAddress = waiting.get(address);
            if (ofAddress != null && ofAddress.remove(this) && ofAddress.isEmpty()) {
                waiting.remove(address);
            }
        }

        private void run() {
            try {
                work.run();
            } finally {
                end();
            }
        }
    }

    /// A step of a handshake with a peer at `address`, which has not begun.
    Step step(String address, Runnable work) {
        return new Step(AddressBlock.of(address), work);
    }

    private void goOn() {
        for (var step = take(); step != null; step = take()) {
            start(step);
        }
    }

    /// The one whose turn it is, if one more may go on.
    private @Nullable Step take() {
        synchronized (waiting) {
            if (underWay >= most) {
                return null;
            }
            var turn = waiting.pollFirstEntry();
            if (turn == null) {
                return null;
            }
            var step = turn.getValue().removeFirst();
            if (!turn.getValue().isEmpty()) {
                waiting.put(turn.getKey(), turn.getValue());
            }
            step.state = State.UNDER_WAY;
            underWay++;
            return step;
        }
    }

    /// The place is free again where there is no thread to be had.
    private void start(Step step) {
        var isStarted = false;
        try {
            executor.execute(step::run);
            isStarted = true;
        } finally {
            if (!isStarted) {
                synchronized (waiting) {
                    step.state = State.OVER;
                    underWay--;
                }
            }
        }
    }

    /// How many addresses wait.
    int waitingAddresses() {
        synchronized (waiting) {
            return waiting.size();
        }
    }
}
