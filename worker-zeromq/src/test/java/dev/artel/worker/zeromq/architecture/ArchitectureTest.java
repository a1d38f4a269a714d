package dev.artel.worker.zeromq.architecture;

import dev.artel.architecture.LibraryRules;
import java.util.List;

final class ArchitectureTest implements LibraryRules {
    @Override
    public List<String> allowedPackages() {
        return List.of(
                "dev.artel.json",
                "dev.artel.json.text",
                "dev.artel.protocol",
                "dev.artel.worker.wire",
                "dev.artel.zeromq",
                "org.slf4j..",
                "org.zeromq..");
    }
}
