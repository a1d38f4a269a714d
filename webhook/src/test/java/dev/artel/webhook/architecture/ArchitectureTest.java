package dev.artel.webhook.architecture;

import dev.artel.architecture.LibraryRules;
import java.util.List;

final class ArchitectureTest implements LibraryRules {
    @Override
    public List<String> allowedPackages() {
        return List.of(
                "dev.artel.json..",
                "dev.artel.kernel..",
                "dev.artel.log",
                "dev.artel.engine..",
                "dev.artel.config..",
                "org.apache.hc..",
                "org.slf4j..");
    }
}
