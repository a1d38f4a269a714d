/// What authors of blueprints write, and the constants that they share with workers and clients. Only the former needs the kernel.
@org.jspecify.annotations.NullMarked
module dev.artel.blueprint {
    requires static transitive org.jspecify;
    requires transitive dev.artel.json;
    requires static dev.artel.kernel;

    exports dev.artel.blueprint;
}
