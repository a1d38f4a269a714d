/// Runs the rules durably in one process.
@org.jspecify.annotations.NullMarked
module dev.artel.engine {
    requires static transitive org.jspecify;
    requires dev.artel.json;
    requires transitive dev.artel.kernel;
    requires jdk.management;
    requires org.slf4j;

    exports dev.artel.engine.core;
    exports dev.artel.engine.core.dispatch;
    exports dev.artel.engine.core.watch;
    exports dev.artel.engine.shell;
}
