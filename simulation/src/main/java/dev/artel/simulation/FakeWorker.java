package dev.artel.simulation;

import dev.artel.protocol.Costs;
import dev.artel.protocol.InstalledModel;
import dev.artel.protocol.Limits;
import dev.artel.protocol.Profile;
import dev.artel.protocol.Resources;
import dev.artel.protocol.Skill;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/// A worker of an [ArtelSimulation]: what it is, and what it answers. Immutable.
///
/// ```java
/// FakeWorker.named("printer").doing("print", Answer.failure("no paper"), Answer.success())
/// ```
public final class FakeWorker {
    private static final int DEFAULT_SLOTS = 4;

    private final String name;
    private final SequencedMap<String, List<ScriptedAnswer>> scriptedAnswers;
    private final Profile profile;
    private final List<String> hot;

    private FakeWorker(
            String name,
            SequencedMap<String, List<ScriptedAnswer>> scriptedAnswers,
            Profile profile,
            List<String> hot) {
        this.name = name;
        this.scriptedAnswers = scriptedAnswers;
        this.profile = profile;
        this.hot = hot;
    }

    /// A worker that can do nothing yet, four things at a time.
    public static FakeWorker named(String name) {
        var profile =
                new Profile(
                        List.of(),
                        new Limits(DEFAULT_SLOTS, new LinkedHashMap<>()),
                        Resources.UNKNOWN,
                        List.of(),
                        Costs.UNKNOWN,
                        new LinkedHashMap<>());
        return new FakeWorker(name, new LinkedHashMap<>(), profile, List.of());
    }

    /// Does tasks of `type`. When it is given a task for the first time, it answers with the first of `script`, the second
    /// time with the second; the last answer is also that to all that follow. Tasks of equal parameters are the same task.
    /// Without a script: success.
    public FakeWorker doing(String type, ScriptedAnswer... script) {
        var more = new LinkedHashMap<>(scriptedAnswers);
        more.put(type, script.length == 0 ? List.of(ScriptedAnswer.success()) : List.of(script));
        return new FakeWorker(name, more, withSkills(more), hot);
    }

    private Profile withSkills(SequencedMap<String, List<ScriptedAnswer>> tasks) {
        return profileOf(
                tasks.sequencedKeySet().stream().map(Skill::new).toList(),
                profile.limits(),
                profile.resources(),
                profile.installedModels(),
                profile.costs());
    }

    private Profile profileOf(
            List<Skill> skills,
            Limits limits,
            Resources resources,
            List<InstalledModel> models,
            Costs costs) {
        return new Profile(
                skills,
                limits,
                resources,
                models,
                costs,
                profile.skillDependencies(),
                profile.labels());
    }

    private FakeWorker with(Profile other) {
        return new FakeWorker(name, scriptedAnswers, other, hot);
    }

    /// Does so many tasks at a time.
    public FakeWorker slots(int most) {
        return with(
                profileOf(
                        profile.skills(),
                        new Limits(most, new LinkedHashMap<>()),
                        profile.resources(),
                        profile.installedModels(),
                        profile.costs()));
    }

    /// Has such a machine.
    public FakeWorker resources(Resources machine) {
        return with(
                profileOf(
                        profile.skills(),
                        profile.limits(),
                        machine,
                        profile.installedModels(),
                        profile.costs()));
    }

    /// Has these models on its disk.
    public FakeWorker models(String... names) {
        return with(
                profileOf(
                        profile.skills(),
                        profile.limits(),
                        profile.resources(),
                        Arrays.stream(names).map(each -> new InstalledModel(each, null)).toList(),
                        profile.costs()));
    }

    /// Has these models loaded.
    public FakeWorker hot(String... names) {
        return new FakeWorker(name, scriptedAnswers, profile, List.of(names));
    }

    /// Takes so much for a task.
    public FakeWorker costing(double perTask) {
        return with(
                profileOf(
                        profile.skills(),
                        profile.limits(),
                        profile.resources(),
                        profile.installedModels(),
                        new Costs(perTask, null, new LinkedHashMap<>())));
    }

    /// Is labelled so, beside the labels that it has.
    public FakeWorker label(String label, String value) {
        var labels = new LinkedHashMap<>(profile.labels());
        labels.put(label, value);
        return with(profile.withLabels(labels));
    }

    /// Its name.
    public String name() {
        return name;
    }

    Profile profile() {
        return profile;
    }

    List<String> hot() {
        return hot;
    }

    /// @param time which time it is, from 1
    ScriptedAnswer answer(String type, int time) {
        var script = scriptedAnswers.getOrDefault(type, List.of(ScriptedAnswer.success()));
        return script.get(Math.min(time, script.size()) - 1);
    }
}
