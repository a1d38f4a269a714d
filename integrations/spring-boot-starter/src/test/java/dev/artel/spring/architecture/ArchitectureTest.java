package dev.artel.spring.architecture;

import dev.artel.architecture.LibraryRules;
import java.util.List;

final class ArchitectureTest implements LibraryRules {
    @Override
    public List<String> allowedPackages() {
        return List.of("dev.artel.client", "dev.artel.worker", "org.springframework..");
    }
}
