/// The SDK that a worker embeds: handlers for task types, and everything between them and the orchestrators.
@org.jspecify.annotations.NullMarked
module dev.artel.worker {
    requires transitive dev.artel.blueprint;
    requires transitive dev.artel.json;
    requires transitive dev.artel.protocol;
    requires dev.artel.json.text;
    requires java.net.http;
    requires jdk.httpserver;
    requires org.slf4j;
    requires static transitive org.jspecify;

    exports dev.artel.worker;
    exports dev.artel.worker.wire;

    uses dev.artel.worker.wire.WireProvider;
}
