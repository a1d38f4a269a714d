package dev.artel.json.architecture;

import dev.artel.architecture.LibraryRules;
import java.util.List;

final class ArchitectureTest implements LibraryRules {
    @Override
    public List<String> allowedPackages() {
        return List.of();
    }

    @Override
    public List<String> classesWithNumbersOfAnySize() {
        return List.of("dev.artel.json.ForeignDecimal", "dev.artel.json.JsonNumber");
    }
}
