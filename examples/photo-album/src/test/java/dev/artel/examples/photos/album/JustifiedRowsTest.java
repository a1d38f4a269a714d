package dev.artel.examples.photos.album;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

final class JustifiedRowsTest {
    @Test
    void everyPictureIsInOneRow_inOrder() {
        var rows = JustifiedRows.of(List.of(1.5, 0.7, 1.5, 1.0, 1.8, 1.5, 0.6), 1000, 10, 200);

        assertThat(rows.getFirst().from()).isZero();
        assertThat(rows.getLast().to()).isEqualTo(7);
        for (var i = 1; i < rows.size(); i++) {
            assertThat(rows.get(i).from()).isEqualTo(rows.get(i - 1).to());
        }
    }

    @Test
    void aRowIsExactlyAsWideAsTheSheet() {
        var rows = JustifiedRows.of(List.of(1.5, 0.5, 2.0), 1000, 10, 250);

        assertThat(rows).hasSize(1);
        assertThat(rows.getFirst().height() * 4 + 2 * 10).isCloseTo(1000, within(1e-6));
    }

    @Test
    void rowsAreAboutAsHighAsWanted() {
        var rows = JustifiedRows.of(Collections.nCopies(40, 1.5), 1000, 10, 200);

        assertThat(rows).allSatisfy(row -> assertThat(row.height()).isBetween(150.0, 270.0));
    }

    @Test
    void noPictures_areNoRows() {
        assertThat(JustifiedRows.of(List.of(), 1000, 10, 200)).isEmpty();
    }
}
