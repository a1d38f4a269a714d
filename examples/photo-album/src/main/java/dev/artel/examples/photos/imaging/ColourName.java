package dev.artel.examples.photos.imaging;

import java.util.Comparator;
import java.util.List;

/// Everyday names for colours.
final class ColourName {
    private record Named(String name, Oklab colour) {
        static Named of(String name, int rgb) {
            return new Named(name, Oklab.of(rgb));
        }
    }

    private static final List<Named> NAMES =
            List.of(
                    Named.of("black", 0x0a0a0c),
                    Named.of("charcoal", 0x2e2f33),
                    Named.of("grey", 0x7d7f82),
                    Named.of("stone", 0x8f8a80),
                    Named.of("taupe", 0x6b6055),
                    Named.of("silver", 0xb9bbbe),
                    Named.of("white", 0xf6f6f4),
                    Named.of("cream", 0xefe6cf),
                    Named.of("sand", 0xcdb88f),
                    Named.of("tan", 0xb08d62),
                    Named.of("brown", 0x6f4a2d),
                    Named.of("umber", 0x3b2a1e),
                    Named.of("rust", 0xa4492a),
                    Named.of("orange", 0xe8792b),
                    Named.of("amber", 0xe0a52e),
                    Named.of("yellow", 0xf0da4a),
                    Named.of("lime", 0xa5cc3a),
                    Named.of("olive", 0x6f7033),
                    Named.of("moss", 0x464d26),
                    Named.of("grass green", 0x5c8a35),
                    Named.of("forest green", 0x24492b),
                    Named.of("sage", 0x9aa886),
                    Named.of("teal", 0x1f7f7c),
                    Named.of("turquoise", 0x45bdb5),
                    Named.of("sky blue", 0x8dbbe4),
                    Named.of("azure", 0x3f87cf),
                    Named.of("blue", 0x2850b0),
                    Named.of("navy", 0x1b2a55),
                    Named.of("slate", 0x55647a),
                    Named.of("violet", 0x6a4bb0),
                    Named.of("plum", 0x5b2a55),
                    Named.of("magenta", 0xd0308f),
                    Named.of("pink", 0xecaebc),
                    Named.of("red", 0xcc2a2a),
                    Named.of("crimson", 0x8c1a2c));

    private ColourName() {}

    static String of(Swatch swatch) {
        var colour = Oklab.of(swatch.rgb());
        return NAMES.stream()
                .min(Comparator.comparingDouble(named -> distance(named.colour(), colour)))
                .orElseThrow()
                .name();
    }

    /// What colour it is matters more for a name than how light it is.
    private static double distance(Oklab name, Oklab colour) {
        var lightness = name.l() - colour.l();
        return name.distanceSquared(colour) - 0.75 * lightness * lightness;
    }
}
