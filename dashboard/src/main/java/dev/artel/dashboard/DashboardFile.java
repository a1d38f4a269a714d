package dev.artel.dashboard;

/// A file of the dashboard. Safe for use by many threads.
public final class DashboardFile {
    private final String path;
    private final String type;
    private final byte[] content;
    private final String digest;

    DashboardFile(String path, String type, byte[] content, String digest) {
        this.path = path;
        this.type = type;
        this.content = content;
        this.digest = digest;
    }

    /// Below the root of the dashboard, such as `js/main.js`.
    public String path() {
        return path;
    }

    /// Its media type, with the character set of texts.
    public String type() {
        return type;
    }

    /// Its bytes, which callers do not change.
    public byte[] content() {
        return content;
    }

    /// Of its content, in hexadecimal digits: another content has another one.
    public String digest() {
        return digest;
    }
}
