package dev.artel.card.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class YamlReaderTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private static String problem(String text) {
        var tree = YamlReader.read(text);
        assertThat(tree.root()).isEmpty();
        return tree.problems().getLast().message();
    }

    /// Trap: a node of hundreds of bytes is made of each character or two, and the nodes are counted when all are there.
    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {"{ 0,", "[ 0,", "[ [],", "[ a:,", "[ {},", "'' -\\n", "'' ?\\n"})
    void aTextOfNothingButSmallValues_isRefused_whenItHasTooMany(String begin, String each) {
        var part = each.replace("\\n", "\n");
        var text = begin + part.repeat((YamlReader.LONGEST_TEXT - 1) / part.length());
        var before = THREADS.getCurrentThreadAllocatedBytes();

        var problem = problem(text);

        var allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
        assertThat(problem).contains("more than 100000 values");
        assertThat(allocated).as("bytes").isLessThan(400L << 20);
    }

    @Test
    void asManyValuesAsATextMayHave_areRead() {
        var text = "{a: [" + "0,".repeat(YamlReader.MOST_VALUES - 2) + "]}";

        assertThat(YamlReader.read(text).root()).isPresent();
        assertThat(problem("{a: [" + "0,".repeat(YamlReader.MOST_VALUES - 1) + "]}"))
                .contains("more than 100000 values");
    }

    @Test
    void asDeepAsValuesMayBeNested_theyAreRead() {
        var most = YamlReader.DEEPEST;

        assertThat(YamlReader.read("[".repeat(most) + "0" + "]".repeat(most)).root()).isPresent();
        assertThat(problem("[".repeat(most + 1) + "0" + "]".repeat(most + 1)))
                .isEqualTo("values are nested too deep; the most is 100");
    }

    /// Trap: a problem of a hundred bytes is kept for each of a hundred thousand keys that are there twice.
    @Test
    void ofKeysThatAreThereAgainAndAgain_theFirstAreReported() {
        var tree = YamlReader.read("{" + "a: 1,".repeat(10_000) + "}");

        assertThat(tree.problems()).hasSize(200);
    }
}
