package dev.artel.store.sqlite;

import static dev.artel.testkit.store.SampleAppends.PLAIN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.kernel.store.JobFilter;
import dev.artel.kernel.store.JobQuery;
import dev.artel.store.codec.JsonEventCodec;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SearchedLabelsTest {
    @TempDir private Path folder;

    /// Trap: two thousand open jobs with 20 KB of short words in labels are split into words while their search has one of four connections.
    @Test
    void aSearch_endsItsPageAfterAMegabyteOfLabels_andGoesOnBehindIt() {
        var each = Listing.MOST_SEARCHED / 4;
        try (var store = SqliteEventStore.open(folder.resolve("artel.db"), new JsonEventCodec())) {
            store.append(List.of(PLAIN.withLabel("note", "wanted").submit("first")));
            for (var i = 0; i < 10; i++) {
                store.append(
                        List.of(PLAIN.withLabel("note", "a ".repeat(each / 2)).submit("j" + i)));
            }
            var query = JobQuery.of(JobFilter.ALL.withText("wanted"), 100);
            var pages = new ArrayList<Integer>();
            var found = new ArrayList<String>();

            var page = store.list(query);
            while (true) {
                pages.add(page.rows().size());
                page.rows().forEach(row -> found.add(row.id().value()));
                if (page.next().isEmpty()) {
                    break;
                }
                page = store.list(query.belowPlace(page.next().getAsLong()));
            }

            assertThat(pages).containsExactly(0, 0, 1);
            assertThat(found).containsExactly("first");
        }
    }
}
