package dev.artel.worker.amqp.architecture;

import dev.artel.architecture.LibraryRules;
import java.util.List;

final class ArchitectureTest implements LibraryRules {
    @Override
    public List<String> allowedPackages() {
        return List.of(
                "com.rabbitmq.client..",
                "dev.artel.amqp",
                "dev.artel.json",
                "dev.artel.json.text",
                "dev.artel.protocol",
                "dev.artel.worker.wire",
                "org.slf4j..");
    }
}
