package dev.artel.gateway.mindbus.architecture;

import dev.artel.architecture.LibraryRules;
import java.util.List;

final class ArchitectureTest implements LibraryRules {
    @Override
    public List<String> allowedPackages() {
        return List.of(
                "dev.artel.amqp",
                "dev.artel.gateway.access",
                "dev.artel.gateway.shell",
                "dev.artel.json",
                "dev.artel.json.text",
                "dev.artel.kernel..",
                "dev.artel.log",
                "dev.artel.protocol..",
                "dev.artel.session..",
                "com.rabbitmq.client..",
                "org.slf4j..");
    }
}
