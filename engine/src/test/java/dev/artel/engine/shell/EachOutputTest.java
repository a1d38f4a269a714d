package dev.artel.engine.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class EachOutputTest {
    private final List<Integer> done = new ArrayList<>();

    /// Trap: what stands behind the one that failed is lost: an append, an answer, a reservation.
    @Test
    void whatOneFailsWith_keepsNoneOfTheOthersFromBeingDone() {
        assertThatThrownBy(() -> EachOutput.of(List.of(1, 2, 3, 4), this::failAtEven))
                .hasMessage("2")
                .satisfies(first ->
                        assertThat(first.getSuppressed())
                                .extracting(Throwable::getMessage)
                                .containsExactly("4"));
        assertThat(done).containsExactly(1, 3);
    }

    @Test
    void oneExceptionOfAll_isThrownAsItIs() {
        var always = new IllegalStateException("always");

        assertThatThrownBy(() ->
                        EachOutput.of(
                                List.of(1, 2),
                                _ -> {
                                    throw always;
                                }))
                .isSameAs(always);
    }

    /// After an error it is unknown what was done.
    @Test
    void anError_endsItAtOnce() {
        assertThatThrownBy(() ->
                        EachOutput.of(
                                List.of(1, 2),
                                number -> {
                                    done.add(number);
                                    throw new StackOverflowError();
                                }))
                .isInstanceOf(StackOverflowError.class);
        assertThat(done).containsExactly(1);
    }

    private void failAtEven(int number) {
        if (number % 2 == 0) {
            throw new IllegalStateException(String.valueOf(number));
        }
        done.add(number);
    }
}
