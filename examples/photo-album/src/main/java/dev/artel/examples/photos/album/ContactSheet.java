package dev.artel.examples.photos.album;

import dev.artel.examples.photos.imaging.PictureWriter;
import dev.artel.examples.photos.imaging.Scaling;
import dev.artel.examples.photos.imaging.Swatch;
import dev.artel.examples.photos.imaging.Thumbnails;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.geom.Area;
import java.awt.geom.Rectangle2D;
import java.awt.geom.RoundRectangle2D;
import java.awt.image.BufferedImage;
import java.nio.file.Path;
import java.util.List;

/// One picture of many: rows of photographs on a dark ground, each with its colours, a caption and a note.
public final class ContactSheet {
    /// What a sheet shows at most; further entries are counted in its heading only.
    public static final int MAX_ENTRIES = 96;

    private static final int WIDTH = 2000;
    private static final int MARGIN = 72;
    private static final int GAP = 28;
    private static final int ROW_HEIGHT = 400;
    private static final int HEADING = 148;
    private static final int BELOW_PICTURE = 112;
    private static final int CORNER = 14;

    private static final Color GROUND = new Color(0x121317);
    private static final Color TEXT = new Color(0xf1efe9);
    private static final Color QUIET = new Color(0x9a9ba3);
    private static final Color LINE = new Color(0x2b2d34);

    private final Letterings letters;

    private ContactSheet(Letterings letters) {
        this.letters = letters;
    }

    /// One picture of the sheet.
    ///
    /// @param picture usually a thumbnail; a larger picture is scaled down while it is read
    /// @param note a second, quieter line
    public record Entry(Path picture, String caption, String note, List<Swatch> palette) {
        /// Keeps an own copy of the palette.
        public Entry {
            palette = List.copyOf(palette);
        }
    }

    /// Writes the sheet as a PNG, 2000 pixels wide, its height as the entries need.
    ///
    /// @throws dev.artel.examples.photos.imaging.NotAPicture if an entry's picture is none
    /// @throws java.io.UncheckedIOException if a picture cannot be read or the sheet cannot be written
    public static void write(List<Entry> entries, Path png) {
        write("Contact sheet", entries, png);
    }

    /// Writes the sheet under a title of its own.
    public static void write(String title, List<Entry> entries, Path png) {
        PictureWriter.write(new ContactSheet(Letterings.ofThisMachine()).draw(title, entries), png);
    }

    static BufferedImage draw(String title, List<Entry> entries, Letterings letters) {
        return new ContactSheet(letters).draw(title, entries);
    }

    private BufferedImage draw(String title, List<Entry> entries) {
        var shown = entries.subList(0, Math.min(entries.size(), MAX_ENTRIES));
        var pictures =
                shown.stream().map(entry -> Thumbnails.decode(entry.picture(), WIDTH / 2)).toList();
        var aspects =
                pictures.stream()
                        .map(picture -> (double) picture.getWidth() / picture.getHeight())
                        .toList();
        var rows = JustifiedRows.of(aspects, WIDTH - 2 * MARGIN, GAP, ROW_HEIGHT);
        var height = MARGIN + HEADING + MARGIN / 2;
        for (var row : rows) {
            height += (int) Math.round(row.height()) + BELOW_PICTURE;
        }
        var sheet = new BufferedImage(WIDTH, height, BufferedImage.TYPE_INT_RGB);
        var graphics = sheet.createGraphics();
        try {
            prepare(graphics, height);
            drawHeading(graphics, title, entries);
            drawRows(graphics, rows, shown, pictures);
        } finally {
            graphics.dispose();
        }
        return sheet;
    }

    private static void prepare(Graphics2D graphics, int height) {
        graphics.setRenderingHint(
                RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
        graphics.setRenderingHint(
                RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
        graphics.setRenderingHint(
                RenderingHints.KEY_FRACTIONALMETRICS, RenderingHints.VALUE_FRACTIONALMETRICS_ON);
        graphics.setColor(GROUND);
        graphics.fillRect(0, 0, WIDTH, height);
    }

    private void drawHeading(Graphics2D graphics, String title, List<Entry> entries) {
        var dots =
                (int)
                        entries.stream()
                                .filter(entry -> !entry.palette().isEmpty())
                                .limit(12)
                                .count();
        letters.title()
                .draw(graphics, letters.title().fitted(title, 1200), MARGIN, MARGIN + 44, TEXT);
        letters.note().draw(graphics, counted(entries.size()), MARGIN, MARGIN + 88, QUIET);
        var x = WIDTH - MARGIN - dots * 36 + 8;
        for (var entry : entries) {
            if (!entry.palette().isEmpty() && x < WIDTH - MARGIN) {
                graphics.setColor(new Color(entry.palette().getFirst().rgb()));
                graphics.fillOval(x, MARGIN + 18, 28, 28);
                x += 36;
            }
        }
        graphics.setColor(LINE);
        graphics.fillRect(MARGIN, MARGIN + 114, WIDTH - 2 * MARGIN, 2);
    }

    private static String counted(int entries) {
        if (entries > MAX_ENTRIES) {
            return "the first " + MAX_ENTRIES + " of " + entries + " photographs";
        }
        return entries == 1 ? "1 photograph" : entries + " photographs";
    }

    private void drawRows(
            Graphics2D graphics,
            List<JustifiedRows.Row> rows,
            List<Entry> entries,
            List<BufferedImage> pictures) {
        var y = MARGIN + HEADING;
        for (var row : rows) {
            var rowHeight = (int) Math.round(row.height());
            var x = (double) MARGIN;
            for (var i = row.from(); i < row.to(); i++) {
                var picture = pictures.get(i);
                var width = row.height() * picture.getWidth() / picture.getHeight();
                var left = (int) Math.round(x);
                var right = (int) Math.round(x + width);
                drawEntry(
                        graphics,
                        entries.get(i),
                        picture,
                        left,
                        y,
                        Math.max(1, right - left),
                        rowHeight);
                x += width + GAP;
            }
            y += rowHeight + BELOW_PICTURE;
        }
    }

    private void drawEntry(
            Graphics2D graphics,
            Entry entry,
            BufferedImage picture,
            int x,
            int y,
            int width,
            int height) {
        var scaled = Scaling.to(picture, width, height);
        graphics.drawImage(scaled, x, y, null);
        graphics.setColor(GROUND);
        graphics.fill(corners(x, y, width, height));
        drawPalette(graphics, entry.palette(), x, y + height + 10, width);
        letters.caption()
                .draw(
                        graphics,
                        letters.caption().fitted(entry.caption(), width),
                        x,
                        y + height + 49,
                        TEXT);
        letters.note()
                .draw(
                        graphics,
                        letters.note().fitted(entry.note(), width),
                        x,
                        y + height + 77,
                        QUIET);
    }

    /// Painting over them is much faster than filling a rounded shape with the picture.
    private static Area corners(int x, int y, int width, int height) {
        var corners = new Area(new Rectangle2D.Double(x, y, width, height));
        corners.subtract(
                new Area(new RoundRectangle2D.Double(x, y, width, height, CORNER, CORNER)));
        return corners;
    }

    private static void drawPalette(
            Graphics2D graphics, List<Swatch> palette, int x, int y, int width) {
        var clip = graphics.getClip();
        graphics.clip(new RoundRectangle2D.Double(x, y, width, 10, 10, 10));
        var total = palette.stream().mapToDouble(Swatch::share).sum();
        var left = (double) x;
        for (var swatch : palette) {
            var part = width * swatch.share() / total;
            graphics.setColor(new Color(swatch.rgb()));
            graphics.fill(new Rectangle2D.Double(left, y, part + 1, 10));
            left += part;
        }
        graphics.setClip(clip);
    }
}
