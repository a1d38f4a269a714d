package dev.artel.examples.photos.album;

import java.awt.Font;
import java.util.function.IntFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The letterings of a contact sheet: in the machine's own fonts where it has any, else in [PixelLetters].
record Letterings(Lettering title, Lettering caption, Lettering note) {
    private static final Logger LOG = LoggerFactory.getLogger(Letterings.class);

    static Letterings ofThisMachine() {
        return preferring(size ->
                new FontLetters(
                        new Font(Font.SANS_SERIF, size > 20 ? Font.BOLD : Font.PLAIN, size)));
    }

    /// A server's JDK often has no fonts, and AWT then fails with whatever its native code met first: a runtime exception, an
    /// `InternalError` or a `LinkageError`.
    static Letterings preferring(IntFunction<Lettering> fonts) {
        try {
            return of(fonts);
        } catch (RuntimeException | InternalError | LinkageError withoutFonts) {
            LOG.atInfo()
                    .addKeyValue("found", withoutFonts.toString())
                    .log(
                            "this machine has no fonts that Java can use; captions are written in built-in letters");
            return of(PixelLetters::ofSize);
        }
    }

    private static Letterings of(IntFunction<Lettering> letters) {
        return new Letterings(letters.apply(46), letters.apply(23), letters.apply(18));
    }
}
