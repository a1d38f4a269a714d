package dev.artel.blueprint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Workers and clients have this module and no kernel.
final class WithoutKernelTest {
    private static final String PACKAGE = "dev.artel.blueprint.";

    @Test
    void theConstants_areLoadedAndUsed_withoutTheKernel() throws ReflectiveOperationException {
        var loader = new KernelLess();
        for (var name :
                List.of(
                        "TaskType",
                        "BlueprintType",
                        "Signal",
                        "Approval",
                        "Verdict",
                        "ApprovalDecision",
                        "Nothing",
                        "ValueType")) {
            assertThat(Class.forName(PACKAGE + name, true, loader).getClassLoader())
                    .isSameAs(loader);
        }

        var type = Class.forName(PACKAGE + "Signal", true, loader);
        var signal =
                type.getMethod("of", String.class, Class.class).invoke(null, "paid", String.class);

        assertThat(signal).hasToString("paid");
    }

    @Test
    void theBlueprint_needsTheKernel() {
        assertThatExceptionOfType(NoClassDefFoundError.class)
                .isThrownBy(() -> Class.forName(PACKAGE + "Blueprint", true, new KernelLess()));
    }

    /// Defines the classes of this module anew, in a path without the kernel.
    private static final class KernelLess extends ClassLoader {
        KernelLess() {
            super(WithoutKernelTest.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.startsWith("dev.artel.kernel.")) {
                throw new ClassNotFoundException(name + " is not on the path of this test");
            }
            var loaded = findLoadedClass(name);
            if (loaded != null) {
                return loaded;
            }
            return name.startsWith(PACKAGE) ? define(name) : super.loadClass(name, resolve);
        }

        private Class<?> define(String name) throws ClassNotFoundException {
            var file = "/" + name.replace('.', '/') + ".class";
            try (var in = WithoutKernelTest.class.getResourceAsStream(file)) {
                if (in == null) {
                    throw new ClassNotFoundException(name);
                }
                var bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }
}
