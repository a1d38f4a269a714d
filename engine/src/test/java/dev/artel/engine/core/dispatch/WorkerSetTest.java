package dev.artel.engine.core.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class WorkerSetTest {
    @Test
    void nextWord_findsEveryWordWithSomebodyInIt() {
        var random = new SplittableRandom(4);
        var set = new WorkerSet();
        var expected = new TreeSet<Integer>();
        for (var i = 0; i < 20_000; i++) {
            var place = random.nextInt(20_000);
            var isIn = random.nextInt(40) == 0;
            set.put(place, isIn);
            if (isIn) {
                expected.add(place);
            } else {
                expected.remove(place);
            }
            if (i % 500 == 0) {
                assertThat(wordsOf(set))
                        .isEqualTo(expected.stream().map(it -> it >>> 6).distinct().toList());
                assertThat(set.size()).isEqualTo(expected.size());
            }
        }
        set.clear();
        assertThat(wordsOf(set)).isEmpty();
    }

    private static List<Integer> wordsOf(WorkerSet set) {
        var words = new ArrayList<Integer>();
        for (var at = set.nextWord(0); at >= 0; at = set.nextWord(at + 1)) {
            words.add(at);
        }
        return words;
    }
}
