package dev.artel.examples.photos.imaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.awt.Color;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ThumbnailsTest {
    @TempDir private Path folder;

    @Test
    void theLongerEdgeIsAsWanted_andTheShapeIsKept() throws IOException {
        var source =
                TestPictures.twoColours(
                        folder.resolve("wide.png"), 1000, 500, Color.RED, Color.BLUE, 0.5);

        var thumbnail = Thumbnails.resize(source, folder.resolve("small/wide.jpg"), 300);

        assertThat(thumbnail.width()).isEqualTo(300);
        assertThat(thumbnail.height()).isEqualTo(150);
        assertThat(thumbnail.bytes()).isEqualTo(Files.size(thumbnail.file()));
        assertThat(ImageIO.read(thumbnail.file().toFile()).getWidth()).isEqualTo(300);
    }

    @Test
    void aSmallPicture_isNotEnlarged() throws IOException {
        var source =
                TestPictures.twoColours(
                        folder.resolve("tiny.png"), 40, 30, Color.RED, Color.BLUE, 0.5);

        var thumbnail = Thumbnails.resize(source, folder.resolve("tiny.jpg"), 300);

        assertThat(thumbnail.width()).isEqualTo(40);
        assertThat(thumbnail.height()).isEqualTo(30);
    }

    @Test
    void aLineOfOnePixel_staysAPicture() throws IOException {
        var source =
                TestPictures.twoColours(
                        folder.resolve("line.png"), 4000, 1, Color.RED, Color.BLUE, 0.5);

        var thumbnail = Thumbnails.resize(source, folder.resolve("line.jpg"), 100);

        assertThat(thumbnail.height()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({
        "1, 120, 80, top", "2, 120, 80, top", "3, 120, 80, bottom", "4, 120, 80, bottom",
        "5, 80, 120, left", "6, 80, 120, right", "7, 80, 120, right", "8, 80, 120, left",
    })
    void aPictureTakenWithATurnedCamera_isUpright(
            int orientation, int width, int height, String redAt) throws IOException {
        var source = TestPictures.turned(folder.resolve("turned.jpg"), orientation);

        var thumbnail = Thumbnails.resize(source, folder.resolve("upright.png"), 200);

        var upright = ImageIO.read(thumbnail.file().toFile());
        assertThat(upright.getWidth()).isEqualTo(width);
        assertThat(upright.getHeight()).isEqualTo(height);
        assertThat(red(upright, width / 2, 8)).isEqualTo(redAt.equals("top"));
        assertThat(red(upright, width / 2, height - 8)).isEqualTo(redAt.equals("bottom"));
        assertThat(red(upright, 8, height / 2)).isEqualTo(redAt.equals("left"));
        assertThat(red(upright, width - 8, height / 2)).isEqualTo(redAt.equals("right"));
    }

    /// Where the picture is half red and half blue along a side, the point is neither clearly red nor blue.
    private static boolean red(BufferedImage picture, int x, int y) {
        var at = new Color(picture.getRGB(x, y));
        return at.getRed() > 200 && at.getBlue() < 60;
    }

    @Test
    void transparency_becomesWhite() throws IOException {
        var source = folder.resolve("clear.png");
        ImageIO.write(
                new BufferedImage(20, 20, BufferedImage.TYPE_INT_ARGB), "png", source.toFile());

        var thumbnail = Thumbnails.resize(source, folder.resolve("white.png"), 10);

        assertThat(ImageIO.read(thumbnail.file().toFile()).getRGB(5, 5))
                .isEqualTo(Color.WHITE.getRGB());
    }

    @Test
    void aText_isNotAPicture_andTheMessageShowsWhatItIs() throws IOException {
        var source = Files.writeString(folder.resolve("notes.jpg"), "Hello, world");

        assertThatThrownBy(() -> Thumbnails.resize(source, folder.resolve("out.jpg"), 100))
                .isInstanceOf(NotAPicture.class)
                .hasMessage(
                        "cannot read notes.jpg as a picture: it starts with 48 65 6c 6c 6f 2c 20 77 (\"Hello, w\");"
                                + " JPEG, PNG, GIF, BMP and TIFF can be read");
        assertThat(folder.resolve("out.jpg")).doesNotExist();
    }

    @Test
    void anEmptyFile_isNotAPicture() throws IOException {
        var source = Files.createFile(folder.resolve("empty.jpg"));

        assertThatThrownBy(() -> Thumbnails.resize(source, folder.resolve("out.jpg"), 100))
                .isInstanceOf(NotAPicture.class)
                .hasMessageContaining("it is empty");
    }

    @Test
    void aDirectory_isNotAPicture() {
        assertThatThrownBy(() -> Thumbnails.resize(folder, folder.resolve("out.jpg"), 100))
                .isInstanceOf(NotAPicture.class)
                .hasMessageContaining("it is a directory");
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 20, 300, 700, 60_000})
    void aPictureCutShort_isNotAPicture(int length) throws IOException {
        var whole = Files.readAllBytes(TestPictures.BUNDLED.resolve("march-cat.jpg"));
        var source = Files.write(folder.resolve("cut.jpg"), Arrays.copyOf(whole, length));

        assertThatThrownBy(() -> Thumbnails.resize(source, folder.resolve("out.jpg"), 100))
                .isInstanceOf(NotAPicture.class)
                .hasMessageContaining("cut.jpg");
    }

    @Test
    void aFewBytesThatClaimGigapixels_areRefusedUndecoded() throws IOException {
        var source = TestPictures.bomb(folder.resolve("bomb.png"), 60_000);

        assertThatThrownBy(() -> Thumbnails.resize(source, folder.resolve("out.jpg"), 100))
                .isInstanceOf(NotAPicture.class)
                .hasMessage(
                        "cannot read bomb.png as a picture: it claims 60,000 x 60,000 pixels, more than the limit"
                                + " of 200 million; scale it down first");
    }

    @Test
    void aMissingFile_isAFailureToRead_notABadPicture() {
        assertThatThrownBy(() ->
                        Thumbnails.resize(
                                folder.resolve("gone.jpg"), folder.resolve("out.jpg"), 100))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("gone.jpg");
    }

    @Test
    void doingItAgain_replacesTheFileByTheSame_andLeavesNoRemains() throws IOException {
        var source = TestPictures.BUNDLED.resolve("fig.jpg");
        var target = folder.resolve("fig.jpg");

        Thumbnails.resize(source, target, 320);
        var first = Files.readAllBytes(target);
        Thumbnails.resize(source, target, 320);

        assertThat(Files.readAllBytes(target)).isEqualTo(first);
        try (var files = Files.list(folder)) {
            assertThat(files).containsExactly(target);
        }
    }

    @Test
    void aLargePicture_isSubsampledWhileItIsDecoded() throws IOException {
        var source =
                TestPictures.twoColours(
                        folder.resolve("large.png"), 9000, 3000, Color.RED, Color.BLUE, 0.5);

        var thumbnail = Thumbnails.resize(source, folder.resolve("small.png"), 300);

        assertThat(thumbnail.width()).isEqualTo(300);
        assertThat(thumbnail.height()).isEqualTo(100);
        var small = ImageIO.read(thumbnail.file().toFile());
        assertThat(small.getRGB(20, 50)).isEqualTo(Color.RED.getRGB());
        assertThat(small.getRGB(280, 50)).isEqualTo(Color.BLUE.getRGB());
    }
}
