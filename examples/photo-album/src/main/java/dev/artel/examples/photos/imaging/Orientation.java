package dev.artel.examples.photos.imaging;

import java.awt.geom.AffineTransform;
import java.awt.image.BufferedImage;

/// How a camera was held, as in EXIF tag 0x0112: what has to be done to the stored picture to see it upright.
enum Orientation {
    UPRIGHT(1, 0, false),
    MIRRORED(2, 0, true),
    UPSIDE_DOWN(3, 2, false),
    MIRRORED_UPSIDE_DOWN(4, 2, true),
    MIRRORED_LEFT(5, 3, true),
    RIGHT(6, 1, false),
    MIRRORED_RIGHT(7, 1, true),
    LEFT(8, 3, false);

    private final int tag;
    private final int quarterTurns;
    private final boolean mirrored;

    Orientation(int tag, int quarterTurns, boolean mirrored) {
        this.tag = tag;
        this.quarterTurns = quarterTurns;
        this.mirrored = mirrored;
    }

    /// The orientation of an EXIF value; unknown values are upright.
    static Orientation of(int tag) {
        for (var orientation : values()) {
            if (orientation.tag == tag) {
                return orientation;
            }
        }
        return UPRIGHT;
    }

    boolean swapsSides() {
        return quarterTurns % 2 == 1;
    }

    BufferedImage upright(BufferedImage stored) {
        if (this == UPRIGHT) {
            return stored;
        }
        var width = swapsSides() ? stored.getHeight() : stored.getWidth();
        var height = swapsSides() ? stored.getWidth() : stored.getHeight();
        var upright = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
        var turn = new AffineTransform();
        turn.translate(width / 2.0, height / 2.0);
        turn.quadrantRotate(quarterTurns);
        turn.scale(mirrored ? -1 : 1, 1);
        turn.translate(-stored.getWidth() / 2.0, -stored.getHeight() / 2.0);
        var graphics = upright.createGraphics();
        try {
            graphics.drawImage(stored, turn, null);
        } finally {
            graphics.dispose();
        }
        return upright;
    }
}
