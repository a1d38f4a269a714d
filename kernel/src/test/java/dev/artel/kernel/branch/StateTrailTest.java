package dev.artel.kernel.branch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class StateTrailTest {
    @Test
    void aRound_isRecognised_howeverTheJobCameIntoIt() {
        var stateTrail =
                after(List.of("start", "prepare", "check", "fix"), 1, List.of("check", "fix"), 7);

        assertThat(stateTrail.text())
                .isEqualTo("the last ones repeat: fix -> check -> fix (8 times)");
    }

    @Test
    void aStateThatLeadsToItself_isARound() {
        assertThat(after(List.of("start"), 1, List.of("poll"), 1_000).text())
                .isEqualTo("the last ones repeat: poll -> poll (1,000 times)");
    }

    /// Trap: the nearest repetition is taken for the round, which is never found where states come twice in it.
    @ParameterizedTest
    @ValueSource(strings = {"a a b b", "a b a c", "a a a b", "a b b a c c"})
    void aRoundInWhichStatesComeTwice_isRecognised(String round) {
        var states = List.of(round.split(" "));

        var stateTrail = after(List.of("start"), 1, states, 50);

        assertThat(stateTrail.period()).isEqualTo(states.size());
        assertThat(stateTrail.cycle())
                .hasValueSatisfying(text -> assertThat(text).contains("(50 times)"));
    }

    @Test
    void aJobThatDoesNotGoRound_isDescribedByItsLastStates() {
        var stateTrail = after(List.of("a", "b", "c", "d", "e", "f"), 1, List.of(), 0);

        assertThat(stateTrail.cycle()).isEmpty();
        assertThat(stateTrail.text()).isEqualTo("the last ones were b -> c -> d -> e -> f");
    }

    @Test
    void onlySoManyStates_areRemembered() {
        var stateTrail = after(List.of(), 0, List.of("a", "b", "c"), 10_000);

        assertThat(stateTrail.last()).hasSize(StateTrail.LONGEST);
        assertThat(stateTrail.text()).contains("c -> a -> b -> c (10,000 times)");
    }

    private static StateTrail after(List<String> before, int once, List<String> round, int times) {
        var states = new ArrayList<String>();
        Collections.nCopies(once, before).forEach(states::addAll);
        Collections.nCopies(times, round).forEach(states::addAll);
        var stateTrail = StateTrail.NONE;
        for (var state : states) {
            stateTrail = stateTrail.then(state);
        }
        return stateTrail;
    }
}
