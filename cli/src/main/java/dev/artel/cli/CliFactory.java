package dev.artel.cli;

import picocli.CommandLine;

/// Makes the groups of commands, which share the context of a run.
final class CliFactory implements CommandLine.IFactory {
    private final CliContext context;

    CliFactory(CliContext context) {
        this.context = context;
    }

    @Override
    public <K> K create(Class<K> type) throws Exception {
        for (var constructor : type.getDeclaredConstructors()) {
            if (constructor.getParameterCount() == 1
                    && constructor.getParameterTypes()[0] == CliContext.class) {
                return type.cast(constructor.newInstance(context));
            }
        }
        return CommandLine.defaultFactory().create(type);
    }
}
