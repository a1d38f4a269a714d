package dev.artel.expression.architecture;

import dev.artel.architecture.LibraryRules;
import java.util.List;

final class ArchitectureTest implements LibraryRules {
    @Override
    public List<String> allowedPackages() {
        return List.of(
                "dev.artel.json",
                "dev.artel.kernel.blueprint",
                "dev.artel.kernel.task",
                "dev.artel.kernel.job",
                "dev.cel..");
    }
}
