package dev.artel.gateway.shell;

import dev.artel.kernel.attempt.Lease;
import dev.artel.kernel.task.Payload;
import dev.artel.protocol.TaskResult;
import dev.artel.protocol.ValueRef;

/// Where workers fetch and put values that are too large for messages, over HTTP. Safe for use by many threads.
public interface ValueAddresses {
    /// Where a worker fetches `value`, for a while.
    ValueRef reference(Payload.Ref value);

    /// Where the holder of `lease` puts a value, as long as it holds it.
    String address(Lease lease);

    /// How many bytes a value may have.
    long maxBytes();

    /// A result whose large value is there, or that has none; a failure in its place if the value is not.
    TaskResult checked(TaskResult result);
}
