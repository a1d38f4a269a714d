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

/// Says what a worker has registered in the words of placement.
final class Profiles {
    private Profiles() {}

    static Slots slots(Profile said) {
        var categories = new LinkedHashMap<String, String>();
        for (var skill : said.skills()) {
            if (skill.category() != null) {
                categories.put(skill.name(), skill.category());
            }
        }
        return new Slots(
                Math.max(1, said.limits().maxConcurrentTasks()),
                categories,
                said.limits().perCategory());
    }

    static WorkerResources equipment(Profile said) {
        var resources = said.resources();
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
                said.installedModels().stream().map(InstalledModel::name).toList(),
                said.labels());
    }

    private static Device device(Resources.Gpu said) {
        var amounts = new LinkedHashMap<String, Double>();
        amounts.put("vram_gb", said.vramGb());
        amounts.putAll(said.more());
        return new Device(said.model(), amounts);
    }

    /// A price for the type goes first, then one for any task, then one for a second of work.
    static WorkerCosts prices(Costs said) {
        var defaultCost = said.perTask() == null ? said.perSecond() : said.perTask();
        return new WorkerCosts(
                said.perSkill(), defaultCost == null ? Double.POSITIVE_INFINITY : defaultCost);
    }
}
