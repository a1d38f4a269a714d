package dev.artel.card.architecture;

import dev.artel.architecture.LibraryRules;
import java.util.List;

final class ArchitectureTest implements LibraryRules {
    @Override
    public List<String> allowedPackages() {
        return List.of("dev.artel.json", "dev.artel.kernel..", "org.snakeyaml.engine..");
    }

    @Override
    public List<String> classesWithNumbersOfAnySize() {
        return List.of("dev.artel.card.yaml.YamlReader");
    }
}
