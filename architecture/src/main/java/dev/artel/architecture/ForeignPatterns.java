package dev.artel.architecture;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.Instruction;
import java.lang.classfile.Label;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.ArrayLoadInstruction;
import java.lang.classfile.instruction.ArrayStoreInstruction;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.ConvertInstruction;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.IncrementInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.classfile.instruction.LoadInstruction;
import java.lang.classfile.instruction.LookupSwitchInstruction;
import java.lang.classfile.instruction.NewMultiArrayInstruction;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.classfile.instruction.NewPrimitiveArrayInstruction;
import java.lang.classfile.instruction.NewReferenceArrayInstruction;
import java.lang.classfile.instruction.NopInstruction;
import java.lang.classfile.instruction.OperatorInstruction;
import java.lang.classfile.instruction.StackInstruction;
import java.lang.classfile.instruction.StoreInstruction;
import java.lang.classfile.instruction.TableSwitchInstruction;
import java.lang.classfile.instruction.TypeCheckInstruction;
import java.lang.constant.ConstantDescs;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.MethodTypeDesc;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Calls that take a text for a regular expression or a glob, where the text is no constant of the program. Java matches by trying
/// all ways, and who chooses the expression chooses how many there are: `(a+)+$` is short, and takes hours. Also calls with a constant
/// that repeats a group without end, see [RepeatedGroups].
final class ForeignPatterns {
    /// By class the methods, and which of their parameters is the expression.
    private static final Map<String, Map<String, Integer>> METHODS =
            Map.of(
                    "java/lang/String",
                    Map.of(
                            "matches", 0,
                            "replaceAll", 0,
                            "replaceFirst", 0,
                            "split", 0,
                            "splitWithDelimiters", 0),
                    "java/util/regex/Pattern",
                    Map.of("compile", 0, "matches", 0),
                    "java/util/Scanner",
                    Map.of(
                            "useDelimiter", 0,
                            "findInLine", 0,
                            "findWithinHorizon", 0,
                            "skip", 0,
                            "findAll", 0,
                            "hasNext", 0,
                            "next", 0),
                    "java/nio/file/FileSystem",
                    Map.of("getPathMatcher", 0),
                    "java/nio/file/Files",
                    Map.of("newDirectoryStream", 1));

    private static final String TEXT = "Ljava/lang/String;";

    private ForeignPatterns() {}

    /// Those in the classes below `folder`, as `class.method calls String.split`, sorted.
    static List<String> in(Path folder) {
        try (var files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".class"))
                    .flatMap(file -> of(file).stream())
                    .sorted()
                    .toList();
        } catch (IOException broken) {
            throw new UncheckedIOException("cannot read the classes in " + folder, broken);
        }
    }

    /// Those in one class.
    static List<String> of(Path file) {
        try {
            var model = ClassFile.of().parse(file);
            var name = model.thisClass().asInternalName().replace('/', '.');
            var found = new ArrayList<String>();
            for (var method : model.methods()) {
                method.code()
                        .ifPresent(code ->
                                calls(code)
                                        .forEach(call ->
                                                found.add(
                                                        name
                                                                + "."
                                                                + method.methodName().stringValue()
                                                                + " "
                                                                + call)));
            }
            return found;
        } catch (IOException broken) {
            throw new UncheckedIOException("cannot read " + file, broken);
        }
    }

    private static List<String> calls(CodeModel code) {
        var elements = code.elementList();
        var targets = targets(elements);
        var found = new ArrayList<String>();
        for (var at = 0; at < elements.size(); at++) {
            switch (elements.get(at)) {
                case InvokeInstruction call when takesAPattern(call) -> {
                    var name =
                            simple(call.owner().asInternalName()) + "." + call.name().stringValue();
                    var text = constant(elements, at, valuesAfterPattern(call), targets);
                    if (text.isEmpty()) {
                        found.add("calls " + name);
                    } else if (!call.owner().asInternalName().startsWith("java/nio/")
                            && RepeatedGroups.areIn(text.get())) {
                        found.add("repeats a group in " + name);
                    }
                }
                case InvokeDynamicInstruction made ->
                        reference(made).ifPresent(name -> found.add("refers to " + name));
                default -> {}
            }
        }
        return found;
    }

    private static boolean takesAPattern(InvokeInstruction call) {
        return takesAPattern(
                call.owner().asInternalName(), call.name().stringValue(), call.typeSymbol());
    }

    private static boolean takesAPattern(String owner, String name, MethodTypeDesc type) {
        var parameter = METHODS.getOrDefault(owner, Map.of()).get(name);
        return parameter != null
                && type.parameterCount() > parameter
                && type.parameterType(parameter).descriptorString().equals(TEXT);
    }

    private static int valuesAfterPattern(InvokeInstruction call) {
        var parameter =
                METHODS.getOrDefault(call.owner().asInternalName(), Map.of())
                        .getOrDefault(call.name().stringValue(), 0);
        return call.typeSymbol().parameterCount() - 1 - parameter;
    }

    private static Optional<String> reference(InvokeDynamicInstruction made) {
        return made.bootstrapArgs().stream()
                .filter(DirectMethodHandleDesc.class::isInstance)
                .map(DirectMethodHandleDesc.class::cast)
                .filter(handle ->
                        handle.lookupDescriptor().startsWith("(")
                                && takesAPattern(
                                        internal(handle),
                                        handle.methodName(),
                                        MethodTypeDesc.ofDescriptor(handle.lookupDescriptor())))
                .map(handle -> simple(internal(handle)) + "::" + handle.methodName())
                .findFirst();
    }

    private static String internal(DirectMethodHandleDesc handle) {
        var descriptor = handle.owner().descriptorString();
        return descriptor.substring(1, descriptor.length() - 1);
    }

    private static String simple(String internal) {
        return internal.substring(internal.lastIndexOf('/') + 1);
    }

    /// The value below `above` others, if it was put there as a constant. What comes by more than one way is none.
    private static Optional<String> constant(
            List<CodeElement> elements, int call, int above, Set<Label> targets) {
        var depth = above;
        for (var at = call - 1; at >= 0; at--) {
            var element = elements.get(at);
            if (element instanceof LabelTarget reached && targets.contains(reached.label())) {
                return Optional.empty();
            }
            if (!(element instanceof Instruction instruction)) {
                continue;
            }
            var effect = effect(instruction);
            if (effect.isEmpty()) {
                return Optional.empty();
            }
            if (depth < effect.get().pushes()) {
                return constant(instruction);
            }
            depth += effect.get().pops() - effect.get().pushes();
        }
        return Optional.empty();
    }

    /// Also what separates paths, which is one character of each platform and none of an expression.
    private static Optional<String> constant(Instruction instruction) {
        return switch (instruction) {
            case ConstantInstruction constant ->
                    constant.constantValue() instanceof String text
                            ? Optional.of(text)
                            : Optional.empty();
            case FieldInstruction field ->
                    field.owner().asInternalName().equals("java/io/File")
                                    && field.name().stringValue().equals("pathSeparator")
                            ? Optional.of(File.pathSeparator)
                            : Optional.empty();
            default -> Optional.empty();
        };
    }

    /// How many values an instruction takes and leaves, a long for one.
    private record Effect(int pops, int pushes) {}

    /// Empty if it does not lead to the next one, or leaves more than it makes.
    private static Optional<Effect> effect(Instruction instruction) {
        return switch (instruction) {
            case LoadInstruction _, ConstantInstruction _, NewObjectInstruction _ -> effect(0, 1);
            case StoreInstruction _ -> effect(1, 0);
            case IncrementInstruction _, NopInstruction _ -> effect(0, 0);
            case ArrayLoadInstruction _ -> effect(2, 1);
            case ArrayStoreInstruction _ -> effect(3, 0);
            case ConvertInstruction _,
                    TypeCheckInstruction _,
                    NewPrimitiveArrayInstruction _,
                    NewReferenceArrayInstruction _ ->
                    effect(1, 1);
            case NewMultiArrayInstruction made -> effect(made.dimensions(), 1);
            case OperatorInstruction operator ->
                    effect(
                            operator.opcode() == Opcode.ARRAYLENGTH
                                            || operator.opcode().name().endsWith("NEG")
                                    ? 1
                                    : 2,
                            1);
            case FieldInstruction field ->
                    switch (field.opcode()) {
                        case GETSTATIC -> effect(0, 1);
                        case GETFIELD -> effect(1, 1);
                        case PUTSTATIC -> effect(1, 0);
                        default -> effect(2, 0);
                    };
            case InvokeInstruction call ->
                    effect(call.typeSymbol(), call.opcode() == Opcode.INVOKESTATIC ? 0 : 1);
            case InvokeDynamicInstruction made -> effect(made.typeSymbol(), 0);
            case StackInstruction stack ->
                    switch (stack.opcode()) {
                        case DUP -> effect(1, 2);
                        case POP -> effect(1, 0);
                        default -> Optional.empty();
                    };
            default -> Optional.empty();
        };
    }

    private static Optional<Effect> effect(MethodTypeDesc type, int more) {
        return effect(
                type.parameterCount() + more,
                type.returnType().equals(ConstantDescs.CD_void) ? 0 : 1);
    }

    private static Optional<Effect> effect(int pops, int pushes) {
        return Optional.of(new Effect(pops, pushes));
    }

    private static Set<Label> targets(List<CodeElement> elements) {
        var targets = new HashSet<Label>();
        for (var element : elements) {
            switch (element) {
                case BranchInstruction branch -> targets.add(branch.target());
                case TableSwitchInstruction choice -> {
                    targets.add(choice.defaultTarget());
                    choice.cases().forEach(each -> targets.add(each.target()));
                }
                case LookupSwitchInstruction choice -> {
                    targets.add(choice.defaultTarget());
                    choice.cases().forEach(each -> targets.add(each.target()));
                }
                default -> {}
            }
        }
        return targets;
    }
}
