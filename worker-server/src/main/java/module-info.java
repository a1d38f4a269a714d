/// A WebSocket server for workers, which a program embeds without the orchestrator.
@org.jspecify.annotations.NullMarked
module dev.artel.worker.server {
    requires transitive dev.artel.json;
    requires dev.artel.json.text;
    requires org.slf4j;
    requires static transitive org.jspecify;

    exports dev.artel.worker.server.hub;
}
