package dev.artel.worker.architecture;

import dev.artel.architecture.LibraryRules;
import java.util.List;

final class ArchitectureTest implements LibraryRules {
    @Override
    public List<String> allowedPackages() {
        return List.of(
                "com.sun.net.httpserver",
                "dev.artel.blueprint",
                "dev.artel.json",
                "dev.artel.json.bind",
                "dev.artel.json.text",
                "dev.artel.protocol",
                "org.slf4j..");
    }
}
