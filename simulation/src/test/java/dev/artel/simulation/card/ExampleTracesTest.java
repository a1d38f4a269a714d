package dev.artel.simulation.card;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.simulation.ArtelSimulation;
import dev.artel.simulation.ScriptedAnswer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/// What happens to the cards of the format's description, event by event, as the files `*.trace` beside them have it. Where a change is wanted, copy what the test has
/// written below `target`.
final class ExampleTracesTest {
    private static void assertTrace(String name, ArtelSimulation simulation) throws Exception {
        var job = simulation.run(1);
        job.assertFinished();
        var trace =
                job.story()
                        .lines()
                        .map(line -> line.replaceFirst("^ *[0-9.]+ s  ", "  "))
                        .map(line ->
                                line.replaceAll(
                                        "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d(:\\d\\d(\\.\\d+)?)?Z",
                                        "TIME"))
                        .map(String::stripTrailing)
                        .reduce("", (text, line) -> text + line + "\n");
        var written = Files.createDirectories(Path.of("target", "traces")).resolve(name + ".trace");
        Files.writeString(written, trace);

        assertThat(trace).as("%s", written).isEqualTo(CardTexts.text(name + ".trace"));
    }

    @Test
    void aReplyToACustomer_isWritten_gradedTwice_approved_andKept() throws Exception {
        assertTrace("support-reply", CardProcessesTest.supportReply());
    }

    @Test
    void aGuide_isGathered_writtenTwice_andAccepted() throws Exception {
        assertTrace(
                "city-guide",
                CardProcessesTest.cityGuide(
                        ScriptedAnswer.computed(params -> CardProcessesTest.judge(params))));
    }

    @Test
    void notesAboutTransport_areTakenInALoop_andWaitForAnEvent() throws Exception {
        assertTrace("transport-notes", CardProcessesTest.transportNotes());
    }
}
