package dev.artel.simulation.random;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.simulation.world.Mutant;
import dev.artel.simulation.world.Scenario;
import dev.artel.simulation.world.SimulationFailure;
import dev.artel.store.codec.JsonEventCodec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Each planted bug shows in one of the first scenarios. The scenario in which it showed last is played first: to look for one takes
/// minutes for all, and finds a bug that this scenario shows no more. `-Dplanted.write=true` writes down where they show now.
@Tag("long")
final class PlantedBugsTest {
    private static final long ENOUGH_FOR_A_BUG = 300;

    private static final Path SEEDS = Path.of("src", "test", "resources", "planted-bugs.txt");

    private static final SortedMap<Mutant, Long> LAST = new TreeMap<>();

    private static final SortedMap<Mutant, Long> FOUND = new ConcurrentSkipListMap<>();

    /// What the judge finds that is there for a bug.
    private static final Map<Mutant, String> FINDINGS =
            Map.ofEntries(
                    Map.entry(Mutant.JOBS_PREFERRED, "of the same client waited"),
                    Map.entry(
                            Mutant.HUNG_HANDLER_KEEPS_PLACE,
                            "no handler of its blueprint is within its time"),
                    Map.entry(Mutant.GRANT_WAITS_FOR_READING, "grants are under way"),
                    Map.entry(Mutant.READY_HELD_BACK, "and its task is not handed out"),
                    Map.entry(Mutant.UNACCEPTED_KEPT, "is not given back"),
                    Map.entry(Mutant.UNACCEPTED_FORGOTTEN_WITH_CHANNEL, "is not given back"),
                    Map.entry(
                            Mutant.UNACCEPTED_RETURNED_WITH_CHANNEL,
                            "is given back before its time"),
                    Map.entry(Mutant.COMMANDS_NOT_REPEATED, "and nobody is at it"),
                    Map.entry(Mutant.PROCESSES_CONFUSED, "is pushed again to another process"),
                    Map.entry(Mutant.REPEATED_AS_OTHERS, "is pushed again, and was never held"),
                    Map.entry(Mutant.REPEATED_BLINDLY, "must not be done twice"),
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

    @BeforeAll
    static void read() throws IOException {
        for (var line : Files.readAllLines(SEEDS)) {
            var words = line.split(" ", 2);
            Stream.of(Mutant.values())
                    .filter(bug -> bug.name().equals(words[0]))
                    .forEach(bug -> LAST.put(bug, Long.parseLong(words[1])));
        }
    }

    @AfterAll
    static void write() throws IOException {
        if (Boolean.getBoolean("planted.write")) {
            Files.write(
                    SEEDS,
                    FOUND.entrySet().stream()
                            .map(found -> found.getKey() + " " + found.getValue())
                            .toList());
        }
    }

    /// Those of which a certain judge is expected are found below.
    @ParameterizedTest
    @MethodSource("others")
    void everyPlantedBug_isFound(Mutant bug) {
        assertThat(isFound(bug, _ -> true))
                .as("whether %s shows in one of the first %d scenarios", bug, ENOUGH_FOR_A_BUG)
                .isTrue();
    }

    /// Another judge that stumbles over the bug is not enough.
    @ParameterizedTest
    @MethodSource("judged")
    void aPlantedBug_isFoundByTheJudgeThatIsThereForIt(Mutant bug, String finding) {
        assertThat(isFound(bug, failure -> failure.finding().contains(finding)))
                .as(
                        "whether %s is found in one of the first %d scenarios as '%s'",
                        bug, ENOUGH_FOR_A_BUG, finding)
                .isTrue();
    }

    static Stream<Mutant> others() {
        return Stream.of(Mutant.values()).filter(bug -> !FINDINGS.containsKey(bug));
    }

    static Stream<Arguments> judged() {
        return FINDINGS.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(each -> Arguments.of(each.getKey(), each.getValue()));
    }

    private boolean isFound(Mutant bug, Predicate<SimulationFailure> isIt) {
        var last = LAST.get(bug);
        var seed =
                LongStream.concat(
                                last == null ? LongStream.empty() : LongStream.of(last),
                                LongStream.range(0, ENOUGH_FOR_A_BUG))
                        .filter(each ->
                                Shrinking.failureOf(Scenario.of(each).with(bug), codec)
                                        .filter(isIt)
                                        .isPresent())
                        .findFirst();
        seed.ifPresent(found -> FOUND.put(bug, found));
        return seed.isPresent();
    }
}
