/// The vocabulary, the rules and the ports of Artel: pure, without time, threads or I/O.
@org.jspecify.annotations.NullMarked
module dev.artel.kernel {
    requires static transitive org.jspecify;
    requires transitive dev.artel.json;

    exports dev.artel.kernel.approval;
    exports dev.artel.kernel.attempt;
    exports dev.artel.kernel.blueprint;
    exports dev.artel.kernel.branch;
    exports dev.artel.kernel.budget;
    exports dev.artel.kernel.child;
    exports dev.artel.kernel.compensation;
    exports dev.artel.kernel.engine;
    exports dev.artel.kernel.fleet;
    exports dev.artel.kernel.guard;
    exports dev.artel.kernel.job;
    exports dev.artel.kernel.placement;
    exports dev.artel.kernel.question;
    exports dev.artel.kernel.store;
    exports dev.artel.kernel.task;
    exports dev.artel.kernel.timer;
    exports dev.artel.kernel.webhook;

    uses dev.artel.kernel.blueprint.Conditions;
}
