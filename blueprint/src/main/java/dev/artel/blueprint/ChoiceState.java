package dev.artel.blueprint;

import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// A state of a [BlueprintDefinition] that only chooses the next one, and has no method: the first condition that holds decides, in
/// the order in which they are written.
///
/// ```java
/// @ChoiceState(
///         value = "begin",
///         start = true,
///         when = @When(value = "initial_data.amount > 1000", state = "check"),
///         otherwise = "send")
/// ```
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@Repeatable(ChoiceStates.class)
public @interface ChoiceState {
    /// The name of the state.
    String value();

    /// Whether jobs begin here.
    boolean start() default false;

    /// The conditions, at least one.
    When[] when();

    /// The state that follows where no condition holds.
    String otherwise();
}
