package dev.artel.store.architecture;

import dev.artel.architecture.LibraryRules;
import java.util.List;

final class ArchitectureTest implements LibraryRules {
    @Override
    public List<String> allowedPackages() {
        return List.of(
                "dev.artel.json..",
                "dev.artel.kernel..",
                "com.fasterxml.jackson.core..",
                "org.slf4j..",
                "org.sqlite..");
    }

    @Override
    public List<String> classesWithNumbersOfAnySize() {
        return List.of("dev.artel.store.codec.FoldFormats");
    }
}
