package dev.artel.kernel.placement;

import java.util.List;
import java.util.SequencedMap;

/// Describes why no worker takes a task, and what would change that.
record WaitReasonText(
        String type,
        Demand demand,
        int workers,
        SequencedMap<Refusal, Integer> refused,
        List<UnmetRequirement> nearest) {

    String why(WaitReason.Hold hold) {
        return switch (hold) {
            case WaitReason.NoWorkers _ -> "no worker is connected";
            case WaitReason.Refused(var by) when by == Refusal.TYPE ->
                    "none of " + count(workers, "worker") + " offers " + type;
            case WaitReason.Refused _ -> {
                var able = workers - refused.getOrDefault(Refusal.TYPE, 0);
                yield "of "
                        + count(able, "worker")
                        + " that offer"
                        + s(able)
                        + " "
                        + type
                        + ", "
                        + counts();
            }
            case WaitReason.Backoff _,
                    WaitReason.Placing _,
                    WaitReason.Limited _,
                    WaitReason.Postponed _ ->
                    "it is not offered now";
        };
    }

    private String counts() {
        var parts =
                refused.entrySet().stream()
                        .filter(entry -> entry.getKey() != Refusal.TYPE)
                        .map(entry -> part(entry.getKey(), entry.getValue()))
                        .toList();
        var text =
                parts.size() == 1
                        ? parts.getFirst()
                        : String.join(", ", parts.subList(0, parts.size() - 1))
                                + " and "
                                + parts.getLast();
        return nearest.isEmpty() ? text : text + " (" + nearest.getFirst().text() + ")";
    }

    private static String part(Refusal refusal, int count) {
        return count
                + switch (refusal) {
                    case TYPE -> is(count, "does not offer it", "do not offer it");
                    case CLIENT -> is(count, "is for other clients", "are for other clients");
                    case LABEL -> is(count, "has another label", "have other labels");
                    case RESOURCE -> is(count, "has too little", "have too little");
                    case MODEL -> is(count, "lacks a model", "lack a model");
                    case TOO_EXPENSIVE -> is(count, "is too expensive", "are too expensive");
                    case AFFINITY -> is(count, "is another worker", "are other workers");
                    case EXCLUDED -> is(count, "has failed it", "have failed it");
                    case COLD -> is(count, "is not warm", "are not warm");
                    case UNHEALTHY -> is(count, "is unhealthy", "are unhealthy");
                    case SUSPENDED -> is(count, "is suspended", "are suspended");
                    case DRAINING -> is(count, "drains", "drain");
                    case BUSY -> is(count, "is busy", "are busy");
                    case CATEGORY_FULL ->
                            is(count, "has its category full", "have their category full");
                    case RATE_LIMITED -> is(count, "is rate limited", "are rate limited");
                    case NOT_ASKING ->
                            is(count, "does not ask for work now", "do not ask for work now");
                };
    }

    String unblock(WaitReason.Hold hold) {
        return switch (hold) {
            case WaitReason.NoWorkers _ -> "start one that offers " + type;
            case WaitReason.Refused(var by) -> unblock(by);
            case WaitReason.Backoff _,
                    WaitReason.Placing _,
                    WaitReason.Limited _,
                    WaitReason.Postponed _ ->
                    "nothing is needed";
        };
    }

    private String unblock(Refusal by) {
        var first = nearest.isEmpty() ? "a worker" : nearest.getFirst().worker().value();
        return switch (by) {
            case TYPE -> "start one that does";
            case CLIENT ->
                    "start a worker that gets tasks of all clients, or add the client to "
                            + first
                            + " in workers.toml";
            case LABEL -> "start a worker with the label, or label " + first;
            case RESOURCE -> "start a worker that has it, or ask for less";
            case MODEL -> "install it on " + first + ", or start a worker that has it";
            case TOO_EXPENSIVE -> "raise the task's max_cost, or start a cheaper worker";
            case AFFINITY -> "the worker of the earlier task must come back";
            case EXCLUDED -> "start another worker that offers " + type;
            case COLD -> "warm a worker for " + type + ", or do not require it";
            case UNHEALTHY -> "see to " + first + ", or start another";
            case SUSPENDED ->
                    "it is placed when the suspension is over; end that of "
                            + first
                            + ", or start another";
            case DRAINING -> "end the drain of " + first + ", or start another";
            case BUSY -> "it is placed when a slot frees; more workers or slots speed that up";
            case CATEGORY_FULL ->
                    "it is placed when a task of the category ends; a higher limit speeds that up";
            case RATE_LIMITED -> "let " + first + " ask less often, or raise its limit";
            case NOT_ASKING -> "it is placed as soon as " + first + " asks";
        };
    }

    private static String count(int number, String noun) {
        return number + " " + noun + (number == 1 ? "" : "s");
    }

    private static String s(int number) {
        return number == 1 ? "s" : "";
    }

    private static String is(int count, String one, String more) {
        return " " + (count == 1 ? one : more);
    }
}
