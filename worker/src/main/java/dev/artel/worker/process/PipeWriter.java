package dev.artel.worker.process;

import dev.artel.json.JsonObject;
import dev.artel.json.text.JsonText;
import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.locks.ReentrantLock;

/// Writes messages into a pipe, as [PipeReader] reads them. Safe for use by many threads; a call waits while the pipe is full.
public final class PipeWriter {
    private final OutputStream out;
    private final ReentrantLock writing = new ReentrantLock();

    /// Writes to `out`, which nobody else does.
    public PipeWriter(OutputStream out) {
        this.out = out;
    }

    /// Sends a message.
    ///
    /// @throws IOException if the other end is gone, or the message is larger than [PipeReader#LARGEST]
    public void send(JsonObject message) throws IOException {
        var json = JsonText.write(message);
        if (json.length > PipeReader.LARGEST) {
            throw new IOException(
                    "a message of "
                            + json.length
                            + " bytes cannot be sent to another process, at most "
                            + PipeReader.LARGEST
                            + "; give large values as files");
        }
        var bytes = new byte[json.length + 2];
        bytes[0] = PipeReader.RECORD_SEPARATOR;
        System.arraycopy(json, 0, bytes, 1, json.length);
        bytes[bytes.length - 1] = '\n';
        writing.lock();
        try {
            out.write(bytes);
            out.flush();
        } finally {
            writing.unlock();
        }
    }
}
