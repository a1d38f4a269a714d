package dev.artel.examples.photos.album;

import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.geom.RoundRectangle2D;
import java.text.Normalizer;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/// Capital letters of five by seven dots that need no font. Accents are dropped; what has no letter is an empty box.
final class PixelLetters implements Lettering {
    private static final int COLUMNS = 5;
    private static final int ROWS = 7;

    /// A character, then its rows from top to bottom; the highest of five bits is the left dot.
    private static final String GLYPHS =
            """
            A 0e 11 11 1f 11 11 11|B 1e 11 11 1e 11 11 1e|C 0e 11 10 10 10 11 0e|D 1e 11 11 11 11 11 1e
            E 1f 10 10 1e 10 10 1f|F 1f 10 10 1e 10 10 10|G 0e 11 10 17 11 11 0f|H 11 11 11 1f 11 11 11
            I 0e 04 04 04 04 04 0e|J 07 02 02 02 02 12 0c|K 11 12 14 18 14 12 11|L 10 10 10 10 10 10 1f
            M 11 1b 15 15 11 11 11|N 11 19 15 15 13 11 11|O 0e 11 11 11 11 11 0e|P 1e 11 11 1e 10 10 10
            Q 0e 11 11 11 15 12 0d|R 1e 11 11 1e 14 12 11|S 0f 10 10 0e 01 01 1e|T 1f 04 04 04 04 04 04
            U 11 11 11 11 11 11 0e|V 11 11 11 11 11 0a 04|W 11 11 11 15 15 1b 11|X 11 11 0a 04 0a 11 11
            Y 11 11 0a 04 04 04 04|Z 1f 01 02 04 08 10 1f|0 0e 11 13 15 19 11 0e|1 04 0c 04 04 04 04 0e
            2 0e 11 01 06 08 10 1f|3 1f 02 04 06 01 11 0e|4 02 06 0a 12 1f 02 02|5 1f 10 1e 01 01 11 0e
            6 06 08 10 1e 11 11 0e|7 1f 01 02 04 08 08 08|8 0e 11 11 0e 11 11 0e|9 0e 11 11 0f 01 02 0c
            . 00 00 00 00 00 0c 0c|, 00 00 00 00 0c 04 08|: 00 0c 0c 00 0c 0c 00|; 00 0c 0c 00 0c 04 08
            - 00 00 00 0e 00 00 00|_ 00 00 00 00 00 00 1f|+ 00 04 04 1f 04 04 00|= 00 00 1f 00 1f 00 00
            / 01 01 02 04 08 10 10|( 02 04 08 08 08 04 02|) 08 04 02 02 02 04 08|! 04 04 04 04 04 00 04
            ? 0e 11 01 06 04 00 04|' 04 04 08 00 00 00 00|" 0a 0a 14 00 00 00 00|# 0a 0a 1f 0a 1f 0a 0a
            % 18 19 02 04 08 13 03|& 08 14 14 08 15 12 0d|* 00 04 15 0e 15 04 00|< 02 04 08 10 08 04 02
            > 08 04 02 01 02 04 08|@ 0e 11 17 15 17 10 0e|[ 0e 08 08 08 08 08 0e|] 0e 02 02 02 02 02 0e
            · 00 00 00 0c 0c 00 00|× 00 11 0a 04 0a 11 00|… 00 00 00 00 00 00 15|° 06 09 09 06 00 00 00
            """;

    private static final Map<Character, int[]> ROWS_OF =
            GLYPHS.lines()
                    .flatMap(line -> Arrays.stream(line.split("\\|")))
                    .collect(
                            Collectors.toUnmodifiableMap(
                                    glyph -> glyph.charAt(0), PixelLetters::rowsOf));

    private static final int[] BOX = {0x1f, 0x11, 0x11, 0x11, 0x11, 0x11, 0x1f};
    private static final int[] SPACE = new int[ROWS];

    private final int dot;

    private PixelLetters(int dot) {
        this.dot = dot;
    }

    /// Letters about as tall as those of a font of `size` pixels.
    static Lettering ofSize(int size) {
        return new PixelLetters(Math.max(1, (size + 4) / 10));
    }

    @Override
    public void draw(Graphics2D graphics, String text, int x, int baseline, Color colour) {
        graphics.setColor(colour);
        var left = x;
        for (var character : plain(text).toCharArray()) {
            drawGlyph(graphics, glyph(character), left, baseline - ROWS * dot);
            left += advance();
        }
    }

    @Override
    public int width(String text) {
        return plain(text).length() * advance();
    }

    private int advance() {
        return (COLUMNS + 1) * dot;
    }

    private void drawGlyph(Graphics2D graphics, int[] rows, int left, int top) {
        for (var row = 0; row < ROWS; row++) {
            for (var column = 0; column < COLUMNS; column++) {
                if ((rows[row] >> (COLUMNS - 1 - column) & 1) == 1) {
                    graphics.fill(
                            new RoundRectangle2D.Double(
                                    left + column * dot,
                                    top + row * dot,
                                    dot,
                                    dot,
                                    dot / 3.0,
                                    dot / 3.0));
                }
            }
        }
    }

    private static int[] glyph(char character) {
        return Character.isWhitespace(character) ? SPACE : ROWS_OF.getOrDefault(character, BOX);
    }

    private static String plain(String text) {
        return Normalizer.normalize(text, Normalizer.Form.NFD)
                .replaceAll("\\p{M}+", "")
                .replace('’', '\'')
                .replace('–', '-')
                .toUpperCase(Locale.ROOT);
    }

    private static int[] rowsOf(String glyph) {
        return Arrays.stream(glyph.substring(2).split(" "))
                .mapToInt(row -> Integer.parseInt(row, 16))
                .toArray();
    }
}
