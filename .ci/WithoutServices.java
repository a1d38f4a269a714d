import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;

import dev.artel.testkit.service.OptionalService;

import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.reflect.AccessFlag;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Finds the test classes of which a method leads to [OptionalService], runs them as they were compiled, and fails if a service
/// is there, a test fails, or a class skips none of its tests for want of a service. `.ci/without-services` starts it where the
/// services are hidden.
///
/// Arguments: the folder with `artel` and `repository`, and where these two were when the reports were written; or `run` and the
/// classes of one module.
final class WithoutServices {
    private static final int LONGEST_MINUTES = 10;
    private static final String NEEDS = "needs ";

    private WithoutServices() {}

    public static void main(String[] arguments) throws Exception {
        var words = List.of(arguments);
        var isGood =
                words.getFirst().equals("run")
                        ? run(words.subList(1, words.size()))
                        : runModules(Path.of(words.get(0)), words.get(1), words.get(2));
        System.exit(isGood ? 0 : 1);
    }

    private static boolean runModules(Path place, String root, String repository) throws Exception {
        var uses = Uses.of(place.resolve("artel").toRealPath());
        var modules =
                uses.users()
                        .collect(
                                groupingBy(
                                        User::module, TreeMap::new, mapping(User::name, toList())));
        var isGood = !modules.isEmpty();
        if (!isGood) {
            System.out.println(
                    "ci: no test that was compiled uses a service; run ./artel test before");
        }
        for (var module : modules.entrySet()) {
            var recorded = property(module.getKey(), "surefire.test.class.path");
            if (recorded.isEmpty()) {
                System.out.println(
                        "ci: no test of "
                                + module.getKey()
                                + " has left a report; run ./artel test before");
                isGood = false;
                continue;
            }
            var path =
                    (recorded.get()
                                    + property(module.getKey(), "jdk.module.path")
                                            .map(it -> ":" + it)
                                            .orElse(""))
                            .replace(root + "/", place.resolve("artel") + "/")
                            .replace(repository + "/", place.resolve("repository") + "/");
            var launcher =
                    Stream.of(path.split(":"))
                            .filter(it -> it.contains("/junit-platform-engine-"))
                            .findFirst()
                            .orElseThrow()
                            .replace("engine", "launcher");
            var command =
                    new ArrayList<>(
                            List.of(
                                    Path.of(System.getProperty("java.home"), "bin", "java")
                                            .toString(),
                                    "-XX:TieredStopAtLevel=1",
                                    "-XX:+UseSerialGC"));
            command.addAll(
                    List.of(
                            "--enable-native-access=ALL-UNNAMED",
                            "--sun-misc-unsafe-memory-access=allow",
                            "-Dslf4j.internal.verbosity=ERROR"));
            command.add("-Dbasedir=" + module.getKey());
            command.add("-Dartel.without-services=" + Boolean.getBoolean("artel.without-services"));
            command.addAll(
                    List.of(
                            "-cp",
                            path + ":" + launcher,
                            place.resolve("artel/.ci/WithoutServices.java").toString(),
                            "run"));
            command.addAll(module.getValue());
            var process =
                    new ProcessBuilder(command)
                            .directory(module.getKey().toFile())
                            .inheritIO()
                            .start();
            if (!process.waitFor(LONGEST_MINUTES, TimeUnit.MINUTES)) {
                process.destroyForcibly();
                System.out.println(
                        "ci: the tests of "
                                + module.getKey()
                                + " did not end in "
                                + LONGEST_MINUTES
                                + " minutes");
                isGood = false;
            }
            isGood &= process.onExit().join().exitValue() == 0;
        }
        return isGood;
    }

    /// What the reports of a module have of the process that ran its tests.
    private static Optional<String> property(Path module, String name) throws IOException {
        var pattern =
                Pattern.compile(
                        "<property name=\"" + Pattern.quote(name) + "\" value=\"([^\"]*)\"");
        for (var folder : List.of("surefire-reports", "failsafe-reports")) {
            var reports = module.resolve("target").resolve(folder);
            if (!Files.isDirectory(reports)) {
                continue;
            }
            try (var files = Files.list(reports)) {
                var found =
                        files.filter(it -> it.getFileName().toString().matches("TEST-.*\\.xml"))
                                .findFirst();
                if (found.isPresent()) {
                    return pattern.matcher(Files.readString(found.get()))
                            .results()
                            .map(it -> it.group(1))
                            .findFirst();
                }
            }
        }
        return Optional.empty();
    }

    private static boolean run(List<String> names) throws ClassNotFoundException {
        var found =
                Stream.of(OptionalService.values())
                        .filter(OptionalService::isPresent)
                        .map(OptionalService::title)
                        .toList();
        if (!found.isEmpty()) {
            System.out.println("ci: these services are hidden, and were found: " + found);
            return false;
        }
        var request = LauncherDiscoveryRequestBuilder.request();
        for (var name : names) {
            request.selectors(
                    selectClass(
                            Class.forName(name, false, WithoutServices.class.getClassLoader())));
        }
        var ends = new Ends();
        LauncherFactory.create().execute(request.build(), ends);
        var isGood = ends.failures.isEmpty();
        for (var name : names) {
            var skipped = ends.skipped.getOrDefault(name, List.of());
            System.out.printf(
                    "ci: %s: %d passed, %d skipped: %s%n",
                    name,
                    ends.passed.getOrDefault(name, 0),
                    skipped.size(),
                    String.join(", ", new HashSet<>(skipped)));
            if (skipped.stream().noneMatch(reason -> reason.startsWith(NEEDS))) {
                System.out.println(
                        "ci: it uses a service that is hidden, and has skipped no test for want of one");
                isGood = false;
            }
        }
        ends.failures.forEach(System.out::println);
        return isGood;
    }

    /// How the tests of each class have ended.
    private static final class Ends implements TestExecutionListener {
        private final Map<String, Integer> passed = new HashMap<>();
        private final Map<String, List<String>> skipped = new HashMap<>();
        private final List<String> failures = new ArrayList<>();

        @Override
        public synchronized void executionSkipped(TestIdentifier test, String reason) {
            skipped.computeIfAbsent(classOf(test), _ -> new ArrayList<>()).add(reason);
        }

        @Override
        public synchronized void executionFinished(
                TestIdentifier test, TestExecutionResult result) {
            var thrown = result.getThrowable();
            switch (result.getStatus()) {
                case SUCCESSFUL -> {
                    if (test.isTest()) {
                        passed.merge(classOf(test), 1, Integer::sum);
                    }
                }
                case ABORTED ->
                        skipped.computeIfAbsent(classOf(test), _ -> new ArrayList<>())
                                .add(thrown.map(Throwable::getMessage).orElse(""));
                case FAILED -> {
                    failures.add(
                            "ci: failed: "
                                    + classOf(test)
                                    + " "
                                    + test.getDisplayName()
                                    + ": "
                                    + thrown.map(Object::toString).orElse(""));
                    thrown.ifPresent(it -> it.printStackTrace(System.out));
                }
            }
        }

        private static String classOf(TestIdentifier test) {
            return test.getSource()
                    .map(
                            source ->
                                    switch (source) {
                                        case MethodSource method -> method.getClassName();
                                        case ClassSource type -> type.getClassName();
                                        default -> "";
                                    })
                    .orElse("");
        }
    }

    private record User(Path module, String name) {}

    /// Which method of the compiled tests calls which, by the names that class files give them.
    private static final class Uses {
        private static final String SERVICE = "dev/artel/testkit/service/";

        private final Map<String, ClassModel> classes = new HashMap<>();
        private final Map<String, Path> tests = new HashMap<>();
        private final Map<String, Set<String>> callers = new HashMap<>();

        static Uses of(Path root) throws IOException {
            var uses = new Uses();
            try (var folders =
                    Files.find(
                            root,
                            4,
                            (path, _) ->
                                    path.endsWith("target/test-classes")
                                            || path.endsWith("testkit/target/classes"))) {
                for (var folder : folders.toList()) {
                    uses.read(folder);
                }
            }
            uses.classes.values().forEach(uses::link);
            return uses;
        }

        private void read(Path folder) throws IOException {
            try (var files =
                    Files.find(
                            folder,
                            30,
                            (path, _) ->
                                    path.toString().endsWith(".class")
                                            && !path.endsWith("module-info.class"))) {
                for (var file : files.toList()) {
                    var model = ClassFile.of().parse(file);
                    var name = model.thisClass().asInternalName();
                    classes.put(name, model);
                    if (name.matches(".*(Test|IT)") && !model.flags().has(AccessFlag.ABSTRACT)) {
                        tests.put(name, folder.getParent().getParent());
                    }
                }
            }
        }

        private void link(ClassModel model) {
            var owner = model.thisClass().asInternalName();
            for (var method : model.methods()) {
                var caller =
                        owner
                                + "."
                                + method.methodName().stringValue()
                                + method.methodType().stringValue();
                // Who calls the method of a supertype may call this one.
                supertypes(model)
                        .forEach(it -> add(it + caller.substring(owner.length()), caller, true));
                method.code()
                        .ifPresent(
                                code ->
                                        code.forEach(
                                                element ->
                                                        called(element)
                                                                .forEach(
                                                                        callee ->
                                                                                add(
                                                                                        callee,
                                                                                        caller,
                                                                                        false))));
            }
        }

        private void add(String callee, String caller, boolean isOverride) {
            var from = isOverride ? caller : resolved(callee);
            callers.computeIfAbsent(from, _ -> new HashSet<>()).add(isOverride ? callee : caller);
        }

        /// The method in the class that declares it, from the one that a call names.
        private String resolved(String callee) {
            var dot = callee.indexOf('.');
            for (var model = classes.get(callee.substring(0, dot));
                    model != null;
                    model =
                            model.superclass()
                                    .map(it -> classes.get(it.asInternalName()))
                                    .orElse(null)) {
                var owner = model.thisClass().asInternalName();
                var rest = callee.substring(dot);
                if (model.methods().stream()
                        .anyMatch(
                                it ->
                                        rest.equals(
                                                "."
                                                        + it.methodName().stringValue()
                                                        + it.methodType().stringValue()))) {
                    return owner + rest;
                }
            }
            return callee;
        }

        private static Stream<String> supertypes(ClassModel model) {
            return Stream.concat(model.superclass().stream(), model.interfaces().stream())
                    .map(it -> it.asInternalName())
                    .filter(it -> it.startsWith("dev/artel/"));
        }

        private static Stream<String> called(CodeElement element) {
            return switch (element) {
                case InvokeInstruction call ->
                        Stream.of(
                                call.owner().asInternalName()
                                        + "."
                                        + call.name().stringValue()
                                        + call.type().stringValue());
                case InvokeDynamicInstruction call ->
                        call.bootstrapArgs().stream()
                                .filter(DirectMethodHandleDesc.class::isInstance)
                                .map(DirectMethodHandleDesc.class::cast)
                                .map(
                                        it ->
                                                internal(it.owner())
                                                        + "."
                                                        + it.methodName()
                                                        + it.lookupDescriptor());
                default -> Stream.of();
            };
        }

        private static String internal(ClassDesc type) {
            var descriptor = type.descriptorString();
            return descriptor.substring(1, descriptor.length() - 1);
        }

        /// The test classes of which a method, own or inherited, leads to a service.
        Stream<User> users() {
            var reached = new HashSet<String>();
            var open =
                    new ArrayDeque<>(
                            callers.keySet().stream()
                                    .filter(it -> it.startsWith(SERVICE))
                                    .toList());
            while (!open.isEmpty()) {
                var method = open.poll();
                if (reached.add(method)) {
                    open.addAll(callers.getOrDefault(method, Set.of()));
                }
            }
            var types = new HashSet<String>();
            reached.forEach(it -> types.add(it.substring(0, it.indexOf('.'))));
            return tests.entrySet().stream()
                    .filter(
                            test ->
                                    !test.getKey().startsWith(SERVICE)
                                            && leadsTo(types, test.getKey()))
                    .map(test -> new User(test.getValue(), test.getKey().replace('/', '.')))
                    .sorted(Comparator.comparing(User::name));
        }

        private boolean leadsTo(Set<String> types, String name) {
            var model = classes.get(name);
            return types.contains(name)
                    || model != null
                            && model.superclass()
                                    .filter(it -> leadsTo(types, it.asInternalName()))
                                    .isPresent();
        }
    }
}
