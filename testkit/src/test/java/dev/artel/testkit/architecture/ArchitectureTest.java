package dev.artel.testkit.architecture;

import dev.artel.architecture.LibraryRules;
import java.util.List;

final class ArchitectureTest implements LibraryRules {
    @Override
    public List<String> allowedPackages() {
        return List.of(
                "dev.artel.json",
                "dev.artel.json.bind",
                "dev.artel.json.text",
                "dev.artel.kernel..",
                "dev.artel.protocol..",
                "dev.artel.engine..",
                "dev.artel.session..",
                "org.junit.jupiter..",
                "org.assertj.core..");
    }
}
