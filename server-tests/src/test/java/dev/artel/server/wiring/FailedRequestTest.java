package dev.artel.server.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import org.junit.jupiter.api.Test;

final class FailedRequestTest {
    /// Trap: a request runs out of memory, is answered with 500, and the process goes on without what its other threads have lost.
    @Test
    void anErrorOfTheMachine_endsTheProcess_andOneOfTheRequestDoesNot() {
        var fatal = new ArrayList<Error>();
        var memory = new OutOfMemoryError("planted by the test");

        HttpListener.failed(new StackOverflowError("planted by the test"), fatal::add);
        HttpListener.failed(new AssertionError("planted by the test"), fatal::add);
        assertThat(fatal).isEmpty();

        HttpListener.failed(memory, fatal::add);
        assertThat(fatal).containsExactly(memory);
    }
}
