package dev.artel.simulation.random;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.simulation.world.Mutant;
import dev.artel.simulation.world.Scenario;
import dev.artel.simulation.world.SimulationFailure;
import dev.artel.store.codec.JsonEventCodec;
import java.util.Optional;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

final class PlantedBugsTest {
    private static final long ENOUGH_FOR_A_BUG = 300;

    private final JsonEventCodec codec = new JsonEventCodec();

    @ParameterizedTest
    @EnumSource
    void everyPlantedBug_isFound(Mutant bug) {
        assertThat(failures(bug).findFirst())
                .as("a scenario of the first %d in which %s shows", ENOUGH_FOR_A_BUG, bug)
                .isPresent();
    }

    /// Another judge that stumbles over the bug is not enough.
    @ParameterizedTest
    @CsvSource({
        "JOBS_PREFERRED, of the same client waited",
        "HUNG_HANDLER_KEEPS_PLACE, no handler of its blueprint is within its time",
        "UNACCEPTED_KEPT, is not given back",
        "UNACCEPTED_FORGOTTEN_WITH_CHANNEL, is not given back",
        "PUSHED_AGAIN, is pushed twice",
        "CHANNEL_END_UNHEARD, counts as open",
        "UNACCEPTED_DOUBT_FORGOTTEN, may have been done and is done again",
        "ACCEPTED_BY_STRANGERS, is not given back",
        "REPORTED_BY_STRANGERS, no worker reported under",
        "SECOND_REPORT_COUNTS, counts a second time",
        "SLOTS_RAISED, ' tasks, and takes '",
        "CATEGORIES_IGNORED, ' tasks of wet, and takes '",
        "REPLACED_CHANNEL_LEFT_OPEN, stays open beside",
        "STAYS_WITHOUT_CHANNEL, ' stays, and its channel '",
        "LEFT_TWICE, ' leaves, and is not there'",
        "UNKNOWN_TASK_THROWS, something threw",
        "SILENCE_UNNOTICED, counts as there",
        "LEASES_OVERDUE, is held after its time",
        "LEASE_CUT_SHORT, is over before its time",
        "ACCEPTANCE_CUT_SHORT, is given back before its time",
        "ACCEPTANCE_PROLONGED, its time to be accepted is over",
        "AGES_BY_WALL_CLOCK, is taken for gone before its time",
        "CARD_DEPENDENCIES_REVERSED, begins before",
        "CARD_STEP_REPEATED, begins again without a reason",
        "CARD_ROUNDS_UNCOUNTED, is done a time too often",
        "CARD_EVENT_CHANGED, ' and waits for something else'",
        "CARD_COMPENSATION_FORGOTTEN, ' and has not compensated'",
        "CARD_COMPENSATIONS_SWAPPED, with {\"undo\":\"s0\"",
        "CARD_INPUT_LEAKED, is to run",
        "CARD_OUTPUT_MISPLACED, ' of others, and keeps '",
        "CARD_DEPTH_FORGOTTEN, is too deep",
        "CARD_BUDGET_FORGOTTEN, ' and its card allows '"
    })
    void aPlantedBug_isFoundByTheJudgeThatIsThereForIt(Mutant bug, String finding) {
        assertThat(failures(bug).map(SimulationFailure::finding))
                .as("the findings of %s in the first %d scenarios", bug, ENOUGH_FOR_A_BUG)
                .anyMatch(found -> found.contains(finding));
    }

    private Stream<SimulationFailure> failures(Mutant bug) {
        return LongStream.range(0, ENOUGH_FOR_A_BUG)
                .mapToObj(seed -> Shrinking.failureOf(Scenario.of(seed).with(bug), codec))
                .flatMap(Optional::stream);
    }
}
