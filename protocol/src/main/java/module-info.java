/// The messages between workers and the orchestrator, and their JSON form.
@org.jspecify.annotations.NullMarked
module dev.artel.protocol {
    requires transitive dev.artel.json;
    requires static transitive org.jspecify;

    exports dev.artel.protocol;
}
