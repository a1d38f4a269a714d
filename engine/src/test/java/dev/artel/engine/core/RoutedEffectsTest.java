package dev.artel.engine.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.kernel.branch.StepCause;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.timer.TimerKind;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class RoutedEffectsTest {
    @Test
    void eachEffectHasOneReceiver_inTheOrderOfTheList() {
        var timer = new Effect.ScheduleTimer(id(1), Instant.EPOCH, new TimerKind.JobDeadline());
        var step = new Effect.RunStep(id(2), 0, "begin", new StepCause.Started(), 1);
        var stop = new Effect.StopChild(id(3), 0, new JobId("a"));
        var person = new Effect.AwaitOperator(id(4), "broken");
        var child = new Effect.AwaitChild(id(5), 0, new JobId("a"));

        var routed = RoutedEffects.of(List.of(timer, step, stop, person, child));

        assertThat(routed.steps()).containsExactly(step);
        assertThat(routed.indexed()).containsExactly(timer);
        assertThat(routed.crossJob()).containsExactly(stop, child);
        assertThat(routed.calls()).isEmpty();
    }

    /// Trap: a kind of effect that is two kinds at once goes where the first row of the switch leads.
    @Test
    void noEffectIsOfTwoKinds() {
        var kinds = Effect.class.getPermittedSubclasses();

        assertThat(Arrays.stream(kinds).filter(Class::isInterface).flatMap(RoutedEffectsTest::of))
                .doesNotHaveDuplicates()
                .doesNotContain(kinds);
    }

    private static Stream<Class<?>> of(Class<?> kind) {
        return Arrays.stream(kind.getPermittedSubclasses());
    }

    private static EffectId id(long event) {
        return new EffectId(event, 0);
    }
}
