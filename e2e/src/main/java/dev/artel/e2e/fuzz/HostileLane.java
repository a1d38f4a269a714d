package dev.artel.e2e.fuzz;

import java.io.IOException;

/// One hostile worker, which sends frames as fast as they are answered. For one thread.
interface HostileLane extends AutoCloseable {
    /// Sends some frames and looks at what comes back.
    ///
    /// @return how many they were, at least 1
    /// @throws IOException if the server is not there
    int fire() throws IOException;

    @Override
    void close();
}
