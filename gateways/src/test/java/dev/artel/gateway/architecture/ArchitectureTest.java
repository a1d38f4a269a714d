package dev.artel.gateway.architecture;

import dev.artel.architecture.LibraryRules;
import java.util.List;

final class ArchitectureTest implements LibraryRules {
    @Override
    public List<String> allowedPackages() {
        return List.of(
                "dev.artel.json",
                "dev.artel.json.text",
                "dev.artel.kernel..",
                "dev.artel.log",
                "dev.artel.protocol..",
                "dev.artel.session..",
                "dev.artel.worker.server..",
                "dev.artel.zeromq",
                "com.fasterxml.jackson.core..",
                "io.javalin..",
                "kotlin..",
                "org.eclipse.jetty..",
                "jakarta.servlet..",
                "org.slf4j..",
                "org.zeromq..",
                "zmq..");
    }
}
