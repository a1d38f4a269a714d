package dev.artel.kernel.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TrailTest {
    @Test
    void aRound_isRecognised_howeverTheJobCameIntoIt() {
        var trail =
                after(List.of("start", "prepare", "check", "fix"), 1, List.of("check", "fix"), 7);

        assertThat(trail.text()).isEqualTo("the last ones repeat: fix -> check -> fix (8 times)");
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

        var trail = after(List.of("start"), 1, states, 50);

        assertThat(trail.period()).isEqualTo(states.size());
        assertThat(trail.cycle())
                .hasValueSatisfying(text -> assertThat(text).contains("(50 times)"));
    }

    @Test
    void aJobThatDoesNotGoRound_isDescribedByItsLastStates() {
        var trail = after(List.of("a", "b", "c", "d", "e", "f"), 1, List.of(), 0);

        assertThat(trail.cycle()).isEmpty();
        assertThat(trail.text()).isEqualTo("the last ones were b -> c -> d -> e -> f");
    }

    @Test
    void onlySoManyStates_areRemembered() {
        var trail = after(List.of(), 0, List.of("a", "b", "c"), 10_000);

        assertThat(trail.last()).hasSize(Trail.LONGEST);
        assertThat(trail.text()).contains("c -> a -> b -> c (10,000 times)");
    }

    private static Trail after(List<String> before, int once, List<String> round, int times) {
        var states = new ArrayList<String>();
        Collections.nCopies(once, before).forEach(states::addAll);
        Collections.nCopies(times, round).forEach(states::addAll);
        var trail = Trail.NONE;
        for (var state : states) {
            trail = trail.then(state);
        }
        return trail;
    }
}
