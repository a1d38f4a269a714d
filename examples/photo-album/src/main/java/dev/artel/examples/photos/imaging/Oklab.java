package dev.artel.examples.photos.imaging;

import java.util.Locale;

/// A colour in OKLab, where equal distances look about equally different.
/// Source: Björn Ottosson, "A perceptual color space for image processing", 2020.
///
/// @param l lightness, 0 (black) to 1 (white)
/// @param a green to red, about -0.4 to 0.4
/// @param b blue to yellow, about -0.4 to 0.4
record Oklab(double l, double a, double b) {

    static Oklab of(int rgb) {
        var red = linear(rgb >> 16 & 0xff);
        var green = linear(rgb >> 8 & 0xff);
        var blue = linear(rgb & 0xff);
        var l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
        var m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
        var s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
        return new Oklab(
                0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
                1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
                0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s);
    }

    int rgb() {
        var lRoot = l + 0.3963377774 * a + 0.2158037573 * b;
        var mRoot = l - 0.1055613458 * a - 0.0638541728 * b;
        var sRoot = l - 0.0894841775 * a - 1.2914855480 * b;
        var longs = lRoot * lRoot * lRoot;
        var mediums = mRoot * mRoot * mRoot;
        var shorts = sRoot * sRoot * sRoot;
        return gamma(4.0767416621 * longs - 3.3077115913 * mediums + 0.2309699292 * shorts) << 16
                | gamma(-1.2684380046 * longs + 2.6097574011 * mediums - 0.3413193965 * shorts) << 8
                | gamma(-0.0041960863 * longs - 0.7034186147 * mediums + 1.7076147010 * shorts);
    }

    /// `#rrggbb`
    String hex() {
        return String.format(Locale.ROOT, "#%06x", rgb());
    }

    double chroma() {
        return Math.hypot(a, b);
    }

    double distanceSquared(Oklab other) {
        var dl = l - other.l;
        var da = a - other.a;
        var db = b - other.b;
        return dl * dl + da * da + db * db;
    }

    private static double linear(int channel) {
        var value = channel / 255.0;
        return value <= 0.04045 ? value / 12.92 : Math.pow((value + 0.055) / 1.055, 2.4);
    }

    private static int gamma(double value) {
        var clipped = Math.clamp(value, 0.0, 1.0);
        var curved =
                clipped <= 0.0031308 ? clipped * 12.92 : 1.055 * Math.pow(clipped, 1 / 2.4) - 0.055;
        return (int) Math.round(curved * 255);
    }
}
