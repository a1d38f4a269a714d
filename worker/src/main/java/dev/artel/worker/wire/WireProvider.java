package dev.artel.worker.wire;

import java.net.URI;
import java.util.Optional;
import java.util.Set;

/// A kind of wire that the SDK does not bring along, found by [java.util.ServiceLoader].
public interface WireProvider {
    /// The schemes of the URIs that it understands, in lower case.
    Set<String> schemes();

    /// Refuses a URI that it cannot use.
    ///
    /// @throws IllegalArgumentException with how such a URI should look
    void check(URI uri);

    /// Where large values are fetched and put over HTTP, if the URI has it.
    Optional<URI> http(URI uri);

    /// A wire that does nothing before it is used.
    TaskWire wire(WireAddress address, WireEvents events);
}
