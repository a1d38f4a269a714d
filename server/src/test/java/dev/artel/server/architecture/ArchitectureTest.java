package dev.artel.server.architecture;

import dev.artel.architecture.LibraryRules;
import java.util.List;

final class ArchitectureTest implements LibraryRules {
    @Override
    public List<String> allowedPackages() {
        return List.of(
                "dev.artel.json",
                "dev.artel.json.text",
                "dev.artel.kernel..",
                "dev.artel.engine..",
                "dev.artel.store..",
                "dev.artel.protocol..",
                "dev.artel.session..",
                "dev.artel.gateway..",
                "com.fasterxml.jackson.core..",
                "io.javalin..",
                "kotlin..",
                "org.eclipse.jetty..",
                "jakarta.servlet..",
                "io.micrometer..",
                "io.prometheus..",
                "org.slf4j..");
    }
}
