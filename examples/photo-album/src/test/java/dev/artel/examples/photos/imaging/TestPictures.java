package dev.artel.examples.photos.imaging;

import java.awt.Color;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.CRC32;
import javax.imageio.ImageIO;

/// Pictures made for tests, and those that the example brings along.
public final class TestPictures {
    public static final Path BUNDLED = Path.of("photos");

    private TestPictures() {}

    public static List<Path> bundled() throws IOException {
        try (var files = Files.list(BUNDLED)) {
            return files.filter(file -> file.toString().endsWith(".jpg")).sorted().toList();
        }
    }

    /// A picture whose left part, `share` of its width, has one colour and whose right part has the other.
    public static Path twoColours(
            Path file, int width, int height, Color left, Color right, double share)
            throws IOException {
        var picture = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
        var graphics = picture.createGraphics();
        graphics.setColor(right);
        graphics.fillRect(0, 0, width, height);
        graphics.setColor(left);
        graphics.fillRect(0, 0, (int) (width * share), height);
        graphics.dispose();
        PictureWriter.write(picture, file);
        return file;
    }

    /// A JPEG, red on top and blue below, with an EXIF orientation.
    static Path turned(Path file, int orientation) throws IOException {
        var picture = new BufferedImage(120, 80, BufferedImage.TYPE_INT_RGB);
        var graphics = picture.createGraphics();
        graphics.setColor(Color.RED);
        graphics.fillRect(0, 0, 120, 40);
        graphics.setColor(Color.BLUE);
        graphics.fillRect(0, 40, 120, 40);
        graphics.dispose();
        var jpeg = new ByteArrayOutputStream();
        ImageIO.write(picture, "jpeg", jpeg);
        var plain = jpeg.toByteArray();
        var tiff =
                ByteBuffer.allocate(26)
                        .put("MM".getBytes(StandardCharsets.US_ASCII))
                        .putShort((short) 42)
                        .putInt(8)
                        .putShort((short) 1)
                        .putShort((short) 0x0112)
                        .putShort((short) 3)
                        .putInt(1)
                        .putShort((short) orientation)
                        .putShort((short) 0)
                        .putInt(0)
                        .array();
        var tagged =
                ByteBuffer.allocate(plain.length + tiff.length + 10)
                        .put(plain, 0, 2)
                        .putShort((short) 0xffe1)
                        .putShort((short) (tiff.length + 8))
                        .put("Exif\0\0".getBytes(StandardCharsets.US_ASCII))
                        .put(tiff)
                        .put(plain, 2, plain.length - 2);
        return Files.write(file, tagged.array());
    }

    /// A PNG of a few bytes that claims to be `side` pixels wide and high.
    static Path bomb(Path file, int side) throws IOException {
        var header = new ByteArrayOutputStream();
        var data = new DataOutputStream(header);
        data.writeBytes("IHDR");
        data.writeInt(side);
        data.writeInt(side);
        data.write(new byte[] {8, 2, 0, 0, 0});
        var crc = new CRC32();
        crc.update(header.toByteArray());
        var png = new ByteArrayOutputStream();
        var out = new DataOutputStream(png);
        out.writeLong(0x89504e470d0a1a0aL);
        out.writeInt(13);
        out.write(header.toByteArray());
        out.writeInt((int) crc.getValue());
        return Files.write(file, png.toByteArray());
    }
}
