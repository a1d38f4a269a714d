package dev.artel.examples.photos.album;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.examples.photos.album.ContactSheet.Entry;
import dev.artel.examples.photos.imaging.PictureDescription;
import dev.artel.examples.photos.imaging.Swatch;
import dev.artel.examples.photos.imaging.TestPictures;
import java.awt.Color;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ContactSheetTest {
    @TempDir private Path folder;

    @Test
    void theBundledPhotographs_makeASheet() throws IOException {
        var entries = new ArrayList<Entry>();
        for (var photograph : TestPictures.bundled()) {
            var description = PictureDescription.of(photograph);
            var note = description.width() + " × " + description.height();
            entries.add(
                    new Entry(
                            photograph,
                            photograph.getFileName().toString(),
                            note,
                            description.palette()));
        }
        var png = folder.resolve("contact-sheet.png");

        ContactSheet.write("An album", entries, png);

        var sheet = ImageIO.read(png.toFile());
        assertThat(sheet.getWidth()).isEqualTo(2000);
        assertThat(sheet.getHeight()).isBetween(1200, 3000);
        assertThat(coloursOf(sheet)).isGreaterThan(10_000);
    }

    @Test
    void noPictures_makeASheetOfItsHeading() {
        var sheet = ContactSheet.draw("Nothing", List.of(), Letterings.ofThisMachine());

        assertThat(sheet.getHeight()).isLessThan(300);
    }

    @Test
    void onePicture_isNotBlownUp() throws IOException {
        var sheet =
                ContactSheet.draw(
                        "One", List.of(entry(100, 300, "tall")), Letterings.ofThisMachine());

        assertThat(sheet.getHeight()).isLessThan(1100);
    }

    @Test
    void aVeryWidePicture_andAVeryTallOne_fit() throws IOException {
        var entries =
                List.of(entry(3000, 20, "wide"), entry(20, 3000, "tall"), entry(50, 50, "square"));

        var sheet = ContactSheet.draw("Extremes", entries, Letterings.ofThisMachine());

        assertThat(sheet.getHeight()).isLessThan(2500);
    }

    @Test
    void moreThanASheetHolds_areCountedButNotDrawn() throws IOException {
        var entries = Collections.nCopies(ContactSheet.MAX_ENTRIES + 1000, entry(60, 40, "again"));

        var sheet = ContactSheet.draw("Many", entries, Letterings.ofThisMachine());

        assertThat(sheet.getHeight()).isLessThan(20_000);
    }

    @Test
    void aMachineWithoutFonts_writesInBuiltInLetters() throws IOException {
        var letters =
                Letterings.preferring(_ -> {
                    throw new InternalError(
                            "Fontconfig head is null, check your fonts or fonts configuration");
                });

        var sheet =
                ContactSheet.draw("Größe & more…", List.of(entry(300, 200, "Ünïcödé 漢")), letters);

        assertThat(letters.title()).isInstanceOf(PixelLetters.class);
        assertThat(brightPixels(sheet, 0, 130)).isGreaterThan(500);
    }

    private Entry entry(int width, int height, String caption) throws IOException {
        var file = folder.resolve(width + "x" + height + ".png");
        TestPictures.twoColours(file, width, height, Color.ORANGE, Color.DARK_GRAY, 0.5);
        return new Entry(
                file,
                caption,
                "a note",
                List.of(new Swatch("#ffc800", 0.5), new Swatch("#404040", 0.5)));
    }

    private static int coloursOf(BufferedImage picture) {
        var width = picture.getWidth();
        var seen = new BitSet(1 << 24);
        for (var rgb : picture.getRGB(0, 0, width, picture.getHeight(), null, 0, width)) {
            seen.set(rgb & 0xffffff);
        }
        return seen.cardinality();
    }

    private static long brightPixels(BufferedImage picture, int fromRow, int toRow) {
        var rows =
                picture.getRGB(
                        0,
                        fromRow,
                        picture.getWidth(),
                        toRow - fromRow,
                        null,
                        0,
                        picture.getWidth());
        return Arrays.stream(rows).filter(rgb -> (rgb & 0xff) > 0xc0).count();
    }
}
