package dev.artel.zeromq.architecture;

import dev.artel.architecture.LibraryRules;
import java.util.List;

final class ArchitectureTest implements LibraryRules {
    @Override
    public List<String> allowedPackages() {
        return List.of("org.slf4j..", "org.zeromq..", "zmq..");
    }
}
