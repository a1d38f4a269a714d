package dev.artel.benchmarks;

import java.util.List;

/// The command `bench`: `bench NAME... [--size SIZE] [--json FILE]` runs benchmarks, `all` of them; `bench compare A B`
/// compares the results of two runs.
final class Benchmarks {
    private static final int BAD_USAGE = 2;

    private Benchmarks() {}

    /// Ends the process: with 0 if all went well, with 1 if a benchmark failed or became slower, with 2 if the arguments or
    /// the files are wrong.
    public static void main(String[] args) throws InterruptedException {
        System.exit(status(List.of(args)));
    }

    private static int status(List<String> args) throws InterruptedException {
        try {
            if (!args.isEmpty() && args.getFirst().equals("compare")) {
                return CompareCommand.of(args.subList(1, args.size())).run(ChildProtocol::send);
            }
            return RunCommand.of(args, all()).run(ChildProtocol::send);
        } catch (BenchRefused refused) {
            ChildProtocol.send("bench: " + refused.getMessage());
            return BAD_USAGE;
        }
    }

    /// Each benchmark, in the order in which `all` runs them.
    static List<Benchmark> all() {
        return List.of(
                new EngineBenchmark(),
                new HttpBenchmark(),
                new DashboardsBenchmark(),
                new WiresBenchmark(),
                new WebSocketBenchmark(),
                new ZeroMqBenchmark(),
                new MindBusBenchmark(),
                new CardsBenchmark(),
                new FanoutBenchmark(),
                new RecoveryBenchmark(),
                new IdleBenchmark(),
                new StartBenchmark(),
                new MillionBenchmark(),
                new DispatchBenchmark(),
                new BacklogBenchmark(),
                new QueueBenchmark(),
                new LongJobBenchmark(),
                new PageBenchmark(),
                new BesideBenchmark(),
                new FunctionBenchmark(),
                new SimBenchmark());
    }
}
