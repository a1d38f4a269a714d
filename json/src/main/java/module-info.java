/// The value model that every other module speaks: immutable JSON, without a parser.
@org.jspecify.annotations.NullMarked
module dev.artel.json {
    requires static transitive org.jspecify;

    exports dev.artel.json;
    exports dev.artel.json.bind;
}
