package dev.artel.store.architecture;

import dev.artel.architecture.LibraryRules;
import java.util.List;

final class ArchitectureTest implements LibraryRules {
    @Override
    public List<String> allowedPackages() {
        return List.of(
                "dev.artel.json",
                "dev.artel.json.text",
                "dev.artel.kernel..",
                "com.fasterxml.jackson.core..",
                "org.flywaydb.core..",
                "org.sqlite..",
                "org.slf4j..");
    }
}
