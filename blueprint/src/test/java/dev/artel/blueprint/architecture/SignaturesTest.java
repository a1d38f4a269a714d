package dev.artel.blueprint.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.blueprint.Blueprint;
import dev.artel.blueprint.KernelBridge;
import java.io.IOException;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// What authors see of this module names no type of the kernel, which may change as it likes.
final class SignaturesTest {
    /// Members, or types with all of their members, that name the kernel, and why.
    private static final Map<String, String> EXCEPTIONS =
            Map.of(
                    "KernelBridge", "how the packages of this module get at what authors write",
                    "Blueprint.definition", "what the orchestrator registers",
                    "Blueprint.blueprints", "how a program hands it to the orchestrator",
                    "Blueprint",
                            "is a source of blueprints, which a program hands to the orchestrator");

    @Test
    void whatAuthorsSee_namesNoTypeOfTheKernel_butForTheListedMembers()
            throws IOException, URISyntaxException, ClassNotFoundException {
        var types = types();
        assertThat(types).hasSizeGreaterThan(40).contains(Blueprint.class);

        var found = new ArrayList<String>();
        for (var type : types) {
            found.addAll(foreign(type));
        }

        assertThat(found.stream().map(SignaturesTest::place).distinct().toList())
                .as(
                        "members that name the kernel or a package that is exported to nobody: %s",
                        found)
                .containsExactlyInAnyOrderElementsOf(EXCEPTIONS.keySet());
    }

    @Test
    void aMemberThatNamesTheKernel_isFound_alsoInArgumentsOfTypes() {
        assertThat(foreign(KernelBridge.class))
                .anyMatch(line -> line.startsWith("KernelBridge.task "))
                .anyMatch(line -> line.startsWith("KernelBridge.change "))
                .noneMatch(line -> line.startsWith("KernelBridge.blueprint "));
    }

    private static String place(String line) {
        var member = line.substring(0, line.indexOf(' '));
        var type = member.split("\\.", -1)[0];
        return type.equals(KernelBridge.class.getSimpleName()) ? type : member;
    }

    private static List<Class<?>> types()
            throws IOException, URISyntaxException, ClassNotFoundException {
        var folder =
                Path.of(Blueprint.class.getProtectionDomain().getCodeSource().getLocation().toURI())
                        .resolve("dev/artel/blueprint");
        var types = new ArrayList<Class<?>>();
        try (var files = Files.list(folder)) {
            for (var file : files.map(it -> it.getFileName().toString()).sorted().toList()) {
                if (file.endsWith(".class") && !file.equals("package-info.class")) {
                    var type =
                            Class.forName(
                                    "dev.artel.blueprint." + file.replace(".class", ""),
                                    false,
                                    SignaturesTest.class.getClassLoader());
                    if (isSeen(type)) {
                        types.add(type);
                    }
                }
            }
        }
        return types;
    }

    private static boolean isSeen(Class<?> type) {
        return Modifier.isPublic(type.getModifiers())
                && (type.getDeclaringClass() == null || isSeen(type.getDeclaringClass()));
    }

    /// The members of `type` that an author may use and that name the kernel, as `Type.member names ...`.
    private static List<String> foreign(Class<?> type) {
        var found = new ArrayList<String>();
        var name = type.getName().replaceFirst(".*\\.", "").replace('$', '.');
        Stream.concat(
                        Stream.ofNullable(type.getGenericSuperclass()),
                        Arrays.stream(type.getGenericInterfaces()))
                .flatMap(SignaturesTest::named)
                .filter(SignaturesTest::isForeign)
                .forEach(it -> found.add(name + " names " + it));
        var members = new ArrayList<AccessibleObject>();
        members.addAll(List.of(type.getDeclaredConstructors()));
        members.addAll(List.of(type.getDeclaredMethods()));
        members.addAll(List.of(type.getDeclaredFields()));
        for (var member : members) {
            var seen = (Member) member;
            if (seen.isSynthetic()
                    || !(Modifier.isPublic(seen.getModifiers())
                            || Modifier.isProtected(seen.getModifiers()))) {
                continue;
            }
            var called =
                    member instanceof java.lang.reflect.Constructor<?>
                            ? name + ".new"
                            : name + "." + seen.getName();
            signature(member)
                    .flatMap(SignaturesTest::named)
                    .filter(SignaturesTest::isForeign)
                    .forEach(it -> found.add(called + " names " + it));
        }
        return found;
    }

    private static Stream<Type> signature(AccessibleObject member) {
        return switch (member) {
            case Field field -> Stream.of(field.getGenericType());
            case Executable code ->
                    Stream.of(
                                    Arrays.stream(code.getGenericParameterTypes()),
                                    Arrays.stream(code.getGenericExceptionTypes()),
                                    Arrays.stream(code.getTypeParameters())
                                            .flatMap(it -> Arrays.stream(it.getBounds())),
                                    code instanceof Method method
                                            ? Stream.of(method.getGenericReturnType())
                                            : Stream.<Type>empty())
                            .flatMap(it -> it);
            default -> throw new IllegalArgumentException("no member: " + member);
        };
    }

    /// The names of the classes of which `type` is made.
    private static Stream<String> named(Type type) {
        return switch (type) {
            case Class<?> plain ->
                    plain.isArray() ? named(plain.getComponentType()) : Stream.of(plain.getName());
            case ParameterizedType generic ->
                    Stream.concat(
                            named(generic.getRawType()),
                            Arrays.stream(generic.getActualTypeArguments())
                                    .flatMap(SignaturesTest::named));
            case WildcardType wild ->
                    Stream.concat(
                                    Arrays.stream(wild.getUpperBounds()),
                                    Arrays.stream(wild.getLowerBounds()))
                            .flatMap(SignaturesTest::named);
            case GenericArrayType array -> named(array.getGenericComponentType());
            case TypeVariable<?> _ -> Stream.empty();
            default -> throw new IllegalArgumentException("no type: " + type);
        };
    }

    private static boolean isForeign(String type) {
        return type.startsWith("dev.artel.kernel.")
                || type.matches("dev\\.artel\\.blueprint\\.[a-z].*");
    }
}
