package dev.artel.examples.photos.album;

/// Text in a page. File names, EXIF and worker names come from strangers.
final class Html {
    private Html() {}

    /// Safe between tags and inside quoted attributes.
    static String text(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }
}
