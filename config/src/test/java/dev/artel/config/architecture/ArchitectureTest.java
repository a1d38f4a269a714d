package dev.artel.config.architecture;

import dev.artel.architecture.LibraryRules;
import java.util.List;

final class ArchitectureTest implements LibraryRules {
    @Override
    public List<String> allowedPackages() {
        return List.of(
                "dev.artel.json..",
                "dev.artel.kernel..",
                "dev.artel.engine..",
                "dev.artel.session..",
                "dev.artel.gateway..",
                "dev.artel.store.s3..",
                "com.fasterxml.jackson.core..",
                "com.fasterxml.jackson.dataformat.yaml..",
                "org.slf4j..");
    }

    @Override
    public List<String> classesWithNumbersOfAnySize() {
        return List.of("dev.artel.config.SettingParsers");
    }
}
