package dev.artel.examples.photos.imaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.awt.Color;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class PictureDescriptionTest {
    private static final String BUNDLED = "dev.artel.examples.photos.imaging.TestPictures#bundled";

    @TempDir private Path folder;

    @Test
    void aPhotograph_namesItsCamera() {
        var description =
                PictureDescription.of(TestPictures.BUNDLED.resolve("tortoiseshell-cat.jpg"));

        assertThat(description.format()).isEqualTo("JPEG");
        assertThat(description.width()).isEqualTo(1000);
        assertThat(description.exif())
                .isEqualTo(
                        new Exif(
                                "Canon EOS 450D",
                                LocalDateTime.of(2010, 10, 25, 11, 16, 7),
                                "1/200 s",
                                "f/5.6",
                                400,
                                "55 mm",
                                "Toyah",
                                "Public domain"));
    }

    @Test
    void theMakerIsNotRepeated_whereTheModelNamesIt() {
        var description = PictureDescription.of(TestPictures.BUNDLED.resolve("march-cat.jpg"));

        assertThat(description.exif().camera()).isEqualTo("NIKON D80");
    }

    @Test
    void aPictureWithoutExif_hasNone() throws IOException {
        var picture =
                TestPictures.twoColours(
                        folder.resolve("a.png"), 64, 64, Color.RED, Color.BLUE, 0.5);

        assertThat(PictureDescription.of(picture).exif()).isEqualTo(Exif.NONE);
    }

    @Test
    void thePaletteIsTheColoursAndTheirShares_theMostFrequentFirst() throws IOException {
        var picture =
                TestPictures.twoColours(
                        folder.resolve("a.png"), 200, 100, Color.RED, Color.BLUE, 0.25);

        var palette = PictureDescription.of(picture).palette();

        assertThat(palette).extracting(Swatch::hex).containsExactly("#0000ff", "#ff0000");
        assertThat(palette.getFirst().share()).isCloseTo(0.75, within(0.01));
    }

    @Test
    void aFlatPicture_hasOneColour_andIsNotSharp() throws IOException {
        var picture =
                TestPictures.twoColours(
                        folder.resolve("a.png"), 100, 100, Color.GRAY, Color.GRAY, 0.5);

        var description = PictureDescription.of(picture);

        assertThat(description.palette()).containsExactly(new Swatch("#808080", 1));
        assertThat(description.sharpness()).isZero();
        assertThat(description.sentence()).isEqualTo("A soft square in grey.");
    }

    @Test
    void theSamePicture_isAlwaysDescribedAlike() {
        var photograph = TestPictures.BUNDLED.resolve("brushes.jpg");

        assertThat(PictureDescription.of(photograph)).isEqualTo(PictureDescription.of(photograph));
    }

    @Test
    void onePixel_canBeDescribed() throws IOException {
        var picture =
                TestPictures.twoColours(
                        folder.resolve("a.png"), 1, 1, Color.WHITE, Color.WHITE, 0.5);

        var description = PictureDescription.of(picture);

        assertThat(description.brightness()).isCloseTo(1, within(0.001));
        assertThat(description.palette()).containsExactly(new Swatch("#ffffff", 1));
    }

    @Test
    void aBlurredCopy_isLessSharp() throws IOException {
        var source = TestPictures.BUNDLED.resolve("march-cat.jpg");
        var small = Thumbnails.decode(source, 160);
        var blurred = folder.resolve("blurred.png");
        PictureWriter.write(Scaling.to(small, 640, 640), blurred);

        assertThat(PictureDescription.of(blurred).sharpness())
                .isLessThan(PictureDescription.of(source).sharpness() / 4);
    }

    @Test
    void aTurnedPicture_hasTheSidesThatPeopleSee() throws IOException {
        var description = PictureDescription.of(TestPictures.turned(folder.resolve("a.jpg"), 6));

        assertThat(description.width()).isEqualTo(80);
        assertThat(description.height()).isEqualTo(120);
    }

    @Test
    void aText_isNotAPicture() throws IOException {
        var file = Files.writeString(folder.resolve("a.png"), "no");

        assertThatThrownBy(() -> PictureDescription.of(file)).isInstanceOf(NotAPicture.class);
    }

    @ParameterizedTest
    @MethodSource(BUNDLED)
    void everyBundledPhotograph_isSmall_credited_andHasAPalette(Path photograph)
            throws IOException {
        var description = PictureDescription.of(photograph);

        assertThat(Files.size(photograph)).isLessThan(150_000);
        assertThat(description.exif().artist()).isNotBlank();
        assertThat(description.exif().copyright()).isNotBlank();
        assertThat(Files.readString(TestPictures.BUNDLED.resolve("ATTRIBUTION.md")))
                .contains("`" + photograph.getFileName() + "`");
        assertThat(description.palette()).hasSizeBetween(3, 5);
        assertThat(description.palette().stream().mapToDouble(Swatch::share).sum())
                .isCloseTo(1, within(1e-9));
        assertThat(description.brightness()).isBetween(0.2, 0.9);
    }
}
