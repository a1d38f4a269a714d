package dev.artel.expression;

import dev.cel.bundle.CelFactory;
import dev.cel.common.CelOptions;
import dev.cel.common.CelValidationException;
import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;

/// The library, loaded when the first condition is compiled.
final class Cel {
    private static final CelType ANYTHING = MapType.create(SimpleType.STRING, SimpleType.DYN);

    private static final dev.cel.bundle.Cel LIBRARY =
            CelFactory.legacyCelBuilder()
                    .setOptions(
                            CelOptions.current()
                                    .enableHeterogeneousNumericComparisons(true)
                                    .comprehensionMaxIterations(100_000)
                                    .build())
                    .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
                    .addVar(Facts.INITIAL_DATA, ANYTHING)
                    .addVar(Facts.STATE_HISTORY, ANYTHING)
                    .addVar(Facts.DATA, ANYTHING)
                    .addVar(Facts.LABELS, ANYTHING)
                    .addVar(Facts.CONTEXT, ANYTHING)
                    .addVar(Facts.RESULTS, ListType.create(SimpleType.DYN))
                    .addVar(Facts.STATE, SimpleType.STRING)
                    .addVar(Facts.CLIENT, SimpleType.STRING)
                    .addVar(Facts.CLIENT_PLAN, SimpleType.STRING)
                    .addVar(Facts.CLIENT_PARAMS, ANYTHING)
                    .addVar(Facts.JOB_ID, SimpleType.STRING)
                    .addVar(Facts.ATTEMPT, SimpleType.INT)
                    .build();

    private Cel() {}

    /// The program of `text`, which gives true or false.
    ///
    /// @throws IllegalArgumentException with all that is wrong with it
    static CelRuntime.Program program(String text) {
        try {
            var checked = LIBRARY.compile(text).getAst();
            var type = checked.getResultType();
            if (!type.equals(SimpleType.BOOL) && !type.equals(SimpleType.DYN)) {
                throw new IllegalArgumentException(
                        "it gives a "
                                + type.name()
                                + ", not true or false; compare it with something");
            }
            return LIBRARY.createProgram(checked);
        } catch (CelValidationException wrong) {
            throw new IllegalArgumentException(
                    String.valueOf(wrong.getMessage()).strip().replaceAll("\\s*\\R\\s*", " "),
                    wrong);
        } catch (CelEvaluationException wrong) {
            throw new IllegalArgumentException(wrong.getMessage(), wrong);
        }
    }
}
