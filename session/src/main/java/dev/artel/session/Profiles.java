package dev.artel.session;

import dev.artel.kernel.fleet.Device;
import dev.artel.kernel.fleet.Slots;
import dev.artel.kernel.fleet.WorkerCosts;
import dev.artel.kernel.fleet.WorkerResources;
import dev.artel.protocol.Costs;
import dev.artel.protocol.InstalledModel;
import dev.artel.protocol.Profile;
import dev.artel.protocol.Resources;
import java.util.LinkedHashMap;

/// Translates what a worker has registered for placement.
final class Profiles {
    private Profiles() {}

    static Slots slots(Profile declared) {
        var categories = new LinkedHashMap<String, String>();
        for (var skill : declared.skills()) {
            if (skill.category() != null) {
                categories.put(skill.name(), skill.category());
            }
        }
        return new Slots(
                Math.max(1, declared.limits().maxConcurrentTasks()),
                categories,
                declared.limits().perCategory());
    }

    static WorkerResources equipment(Profile declared) {
        var resources = declared.resources();
        var amounts = new LinkedHashMap<String, Double>();
        if (resources.cpuCores() != null) {
            amounts.put("cpu_cores", resources.cpuCores());
        }
        if (resources.ramGb() != null) {
            amounts.put("ram_gb", resources.ramGb());
        }
        amounts.putAll(resources.more());
        return new WorkerResources(
                amounts,
                resources.gpus().stream().map(Profiles::device).toList(),
                declared.installedModels().stream().map(InstalledModel::name).toList(),
                declared.labels());
    }

    private static Device device(Resources.Gpu declared) {
        var amounts = new LinkedHashMap<String, Double>();
        amounts.put("vram_gb", declared.vramGb());
        amounts.putAll(declared.more());
        return new Device(declared.model(), amounts);
    }

    /// A price for the type goes first, then one for any task, then one for a second of work.
    static WorkerCosts prices(Costs declared) {
        var defaultCost = declared.perTask() == null ? declared.perSecond() : declared.perTask();
        return new WorkerCosts(
                declared.perSkill(), defaultCost == null ? Double.POSITIVE_INFINITY : defaultCost);
    }
}
