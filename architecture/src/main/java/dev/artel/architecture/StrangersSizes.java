package dev.artel.architecture;

import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaConstructor;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/// Calls, and references to methods, whose cost is chosen by the sender of a text or a list: numbers of any length or power, and
/// lists that are looked through for each value of another one.
final class StrangersSizes {
    private static final List<String> NUMBERS =
            List.of(BigDecimal.class.getName(), BigInteger.class.getName());
    private static final Set<String> TEXTS = Set.of("java.lang.String", "[C");

    private StrangersSizes() {}

    static boolean readsANumberOfAnySize(JavaAccess<?> access) {
        return access.getName().equals(JavaConstructor.CONSTRUCTOR_NAME)
                && NUMBERS.contains(access.getTargetOwner().getName())
                && access.getTarget() instanceof CodeUnitAccessTarget target
                && target.getRawParameterTypes().stream()
                        .map(JavaClass::getName)
                        .anyMatch(TEXTS::contains);
    }

    static boolean writesANumberOfAnySize(JavaAccess<?> access) {
        return access.getName().equals("toPlainString")
                && access.getTargetOwner().getName().equals(BigDecimal.class.getName());
    }

    static boolean looksThroughAListForEach(JavaAccess<?> access) {
        var owner = access.getTargetOwner();
        return (access.getName().equals("containsAll")
                        || access.getName().equals("removeAll")
                        || access.getName().equals("retainAll"))
                && owner.isAssignableTo(Collection.class)
                && !owner.isAssignableTo(Set.class);
    }
}
