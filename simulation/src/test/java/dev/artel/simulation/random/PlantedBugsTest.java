package dev.artel.simulation.random;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.simulation.world.Mutant;
import dev.artel.simulation.world.Scenario;
import dev.artel.simulation.world.SimulationFailure;
import dev.artel.store.codec.JsonEventCodec;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class PlantedBugsTest {
    private static final long ENOUGH_FOR_A_BUG = 300;

    /// What the judge finds that is there for a bug.
    private static final Map<Mutant, String> FINDINGS =
            Map.ofEntries(
                    Map.entry(Mutant.JOBS_PREFERRED, "of the same client waited"),
                    Map.entry(
                            Mutant.HUNG_HANDLER_KEEPS_PLACE,
                            "no handler of its blueprint is within its time"),
                    Map.entry(Mutant.UNACCEPTED_KEPT, "is not given back"),
                    Map.entry(Mutant.UNACCEPTED_FORGOTTEN_WITH_CHANNEL, "is not given back"),
                    Map.entry(Mutant.PUSHED_AGAIN, "is pushed twice"),
                    Map.entry(Mutant.CHANNEL_END_UNHEARD, "counts as open"),
                    Map.entry(
                            Mutant.UNACCEPTED_DOUBT_FORGOTTEN,
                            "may have been done and is done again"),
                    Map.entry(Mutant.ACCEPTED_BY_STRANGERS, "is not given back"),
                    Map.entry(Mutant.REPORTED_BY_STRANGERS, "no worker reported under"),
                    Map.entry(Mutant.SECOND_REPORT_COUNTS, "counts a second time"),
                    Map.entry(Mutant.SLOTS_RAISED, " tasks, and takes "),
                    Map.entry(Mutant.CATEGORIES_IGNORED, " tasks of wet, and takes "),
                    Map.entry(Mutant.REPLACED_CHANNEL_LEFT_OPEN, "stays open beside"),
                    Map.entry(Mutant.STAYS_WITHOUT_CHANNEL, " stays, and its channel "),
                    Map.entry(Mutant.LEFT_TWICE, " leaves, and is not there"),
                    Map.entry(Mutant.UNKNOWN_TASK_THROWS, "something threw"),
                    Map.entry(Mutant.SILENCE_UNNOTICED, "counts as there"),
                    Map.entry(Mutant.LEASES_OVERDUE, "is held after its time"),
                    Map.entry(Mutant.LEASE_CUT_SHORT, "is over before its time"),
                    Map.entry(Mutant.ACCEPTANCE_CUT_SHORT, "is given back before its time"),
                    Map.entry(Mutant.ACCEPTANCE_PROLONGED, "its time to be accepted is over"),
                    Map.entry(Mutant.AGES_BY_WALL_CLOCK, "is taken for gone before its time"),
                    Map.entry(Mutant.CARD_DEPENDENCIES_REVERSED, "begins before"),
                    Map.entry(Mutant.CARD_STEP_REPEATED, "begins again without a reason"),
                    Map.entry(Mutant.CARD_ROUNDS_UNCOUNTED, "is done a time too often"),
                    Map.entry(Mutant.CARD_EVENT_CHANGED, " and waits for something else"),
                    Map.entry(Mutant.CARD_COMPENSATION_FORGOTTEN, " and has not compensated"),
                    Map.entry(Mutant.CARD_COMPENSATIONS_SWAPPED, "with {\"undo\":\"s0\""),
                    Map.entry(Mutant.CARD_INPUT_LEAKED, "is to run"),
                    Map.entry(Mutant.CARD_OUTPUT_MISPLACED, " of others, and keeps "),
                    Map.entry(Mutant.CARD_DEPTH_FORGOTTEN, "is too deep"),
                    Map.entry(Mutant.CARD_BUDGET_FORGOTTEN, " and its card allows "));

    private final JsonEventCodec codec = new JsonEventCodec();

    /// Those of which a certain judge is expected are found below.
    @ParameterizedTest
    @MethodSource("others")
    void everyPlantedBug_isFound(Mutant bug) {
        assertThat(failures(bug).findFirst())
                .as("a scenario of the first %d in which %s shows", ENOUGH_FOR_A_BUG, bug)
                .isPresent();
    }

    /// Another judge that stumbles over the bug is not enough.
    @ParameterizedTest
    @MethodSource("judged")
    void aPlantedBug_isFoundByTheJudgeThatIsThereForIt(Mutant bug, String finding) {
        assertThat(failures(bug).map(SimulationFailure::finding))
                .as("the findings of %s in the first %d scenarios", bug, ENOUGH_FOR_A_BUG)
                .anyMatch(found -> found.contains(finding));
    }

    static Stream<Mutant> others() {
        return Stream.of(Mutant.values()).filter(bug -> !FINDINGS.containsKey(bug));
    }

    static Stream<Arguments> judged() {
        return FINDINGS.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(each -> Arguments.of(each.getKey(), each.getValue()));
    }

    private Stream<SimulationFailure> failures(Mutant bug) {
        return LongStream.range(0, ENOUGH_FOR_A_BUG)
                .mapToObj(seed -> Shrinking.failureOf(Scenario.of(seed).with(bug), codec))
                .flatMap(Optional::stream);
    }
}
