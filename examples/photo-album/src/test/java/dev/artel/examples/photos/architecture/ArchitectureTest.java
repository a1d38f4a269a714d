package dev.artel.examples.photos.architecture;

import dev.artel.architecture.ModuleRules;
import java.util.List;

final class ArchitectureTest implements ModuleRules {
    @Override
    public List<String> allowedPackages() {
        return List.of(
                "com.drew..",
                "dev.artel.blueprint",
                "dev.artel.config..",
                "dev.artel.engine.shell",
                "dev.artel.gateway.zeromq",
                "dev.artel.json..",
                "dev.artel.server..",
                "dev.artel.worker",
                "org.slf4j..");
    }

    @Override
    public List<String> classesWithNumbersOfAnySize() {
        return List.of("dev.artel.examples.photos.imaging.ExifReader");
    }
}
