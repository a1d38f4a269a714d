package dev.artel.simulation.grants;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.artel.engine.core.dispatch.DispatchSettings;
import dev.artel.json.JsonObject;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.task.TaskOutline;
import dev.artel.kernel.task.TaskSpec;
import dev.artel.simulation.world.Scenario;
import dev.artel.simulation.world.SimulationFailure;
import dev.artel.simulation.world.Trait;
import dev.artel.simulation.world.World;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What the judge of turns takes for unfair. That clients and low priorities are passed over is planted in whole
/// simulations.
final class FairnessInvariantsTest {
    private static final Scenario PLAIN =
            new Scenario(1, EnumSet.noneOf(Trait.class), 1, Optional.empty());

    private final FairnessInvariants fairnessInvariants =
            new FairnessInvariants(new World(PLAIN), DispatchSettings.DEFAULTS);
    private int tasks;

    @BeforeEach
    void severalOfTwoJobsWait() {
        for (var i = 0; i < 10; i++) {
            comes("a");
            comes("b");
        }
        fairnessInvariants.nextInput();
    }

    @Test
    void jobsOfAClient_thatTakeTurns_areServedFairly() {
        assertThatCode(
                        () -> {
                            for (var i = 0; i < 10; i++) {
                                served("a");
                                served("b");
                            }
                        })
                .doesNotThrowAnyException();
    }

    @Test
    void aJob_thatGoesBeforeAnotherOfItsClientForTheThirdTime_isFound() {
        served("b");
        served("a");
        served("a");

        assertThatThrownBy(() -> served("a"))
                .isInstanceOf(SimulationFailure.class)
                .hasMessageContaining("job a was served more than 2 times")
                .hasMessageContaining("while job b of the same client waited");
    }

    @Test
    void aClient_isPassedOverOnlyFromTheInputOn_behindTheOneWithWhichItsTaskCame() {
        fairnessInvariants.comes(waiting("c", "bob", "fold"));
        fairnessInvariants.nextInput();
        for (var i = 0; i < 3; i++) {
            served("a");
            served("b");
        }

        fairnessInvariants.comes(waiting("c", "bob", "cut"));
        assertThatCode(() -> served("a")).doesNotThrowAnyException();
        fairnessInvariants.nextInput();
        assertThatThrownBy(() -> served("b"))
                .isInstanceOf(SimulationFailure.class)
                .hasMessageContaining("client ann was served 7 times while bob waited");
    }

    private CoordinatorMirror.Waiting waiting(String job) {
        return waiting(job, "ann", "cut");
    }

    private CoordinatorMirror.Waiting waiting(String job, String client, String type) {
        var number = tasks++;
        var offer =
                new Effect.Offer(
                        new EffectId(number, 0),
                        number,
                        1,
                        TaskOutline.of("bp", TaskSpec.of(type, JsonObject.EMPTY)),
                        0,
                        client,
                        Instant.EPOCH,
                        Instant.EPOCH,
                        List.of());
        var task =
                new CoordinatorMirror.Waiting(
                        new CoordinatorMirror.Key(new JobId(job), offer.id()), offer, 0);
        task.plain = true;
        return task;
    }

    private void comes(String job) {
        fairnessInvariants.comes(waiting(job));
    }

    private void served(String job) {
        var task = waiting(job);
        fairnessInvariants.goes(task);
        fairnessInvariants.granted(task, List.of("cut"));
    }
}
