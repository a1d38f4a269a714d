// The statuses of jobs, tasks and workers: their words, tones and shapes.

/** tone: a colour; mark: a shape, so that the colour alone carries nothing; text: what people read. */
const JOBS = {
  pending: { tone: "off", mark: "ring", text: "Pending" },
  running: { tone: "run", mark: "play", text: "Running" },
  waiting_for_worker: { tone: "run", mark: "queue", text: "Waits for a task" },
  waiting_for_parallel_tasks: { tone: "run", mark: "split", text: "Tasks under way" },
  waiting_for_sub_job: { tone: "run", mark: "child", text: "Waits for a child" },
  waiting_for_human: { tone: "person", mark: "person", text: "Needs a person" },
  waiting_for_signal: { tone: "wait", mark: "signal", text: "Waits for a signal" },
  waiting: { tone: "wait", mark: "clock", text: "Waits for a time" },
  awaiting_retry: { tone: "back", mark: "retry", text: "Tries again soon" },
  compensating: { tone: "back", mark: "undo", text: "Compensating" },
  quarantined: { tone: "person", mark: "alert", text: "Quarantined" },
  finished: { tone: "done", mark: "check", text: "Finished" },
  failed: { tone: "fail", mark: "cross", text: "Failed" },
  cancelled: { tone: "off", mark: "stop", text: "Cancelled" },
  paused: { tone: "off", mark: "pause", text: "Paused" },
};

const TASKS = {
  planned: { tone: "off", mark: "ring", text: "Planned" },
  queued: { tone: "wait", mark: "queue", text: "Queued" },
  leased: { tone: "run", mark: "play", text: "At a worker" },
  parked: { tone: "person", mark: "person", text: "Waits for an answer" },
  unanswered: { tone: "wait", mark: "person", text: "Unanswered" },
  in_doubt: { tone: "person", mark: "alert", text: "In doubt" },
  succeeded: { tone: "done", mark: "check", text: "Succeeded" },
  failed: { tone: "fail", mark: "cross", text: "Failed" },
  cancelled: { tone: "off", mark: "stop", text: "Cancelled" },
  lost: { tone: "fail", mark: "alert", text: "Lost" },
  returned: { tone: "back", mark: "undo", text: "Returned" },
  dropped: { tone: "off", mark: "stop", text: "Dropped" },
  superseded: { tone: "off", mark: "stop", text: "Superseded" },
};

const WORKERS = {
  idle: { tone: "done", mark: "check", text: "Idle" },
  busy: { tone: "run", mark: "play", text: "Busy" },
  full: { tone: "run", mark: "full", text: "Full" },
  draining: { tone: "wait", mark: "drain", text: "Draining" },
  suspended: { tone: "fail", mark: "pause", text: "Suspended" },
  unhealthy: { tone: "back", mark: "alert", text: "Unhealthy" },
  offline: { tone: "off", mark: "ring", text: "Offline" },
};

const NEEDS = {
  quarantine: { tone: "person", mark: "alert", text: "Quarantined" },
  approval: { tone: "person", mark: "person", text: "Approval" },
  question: { tone: "person", mark: "question", text: "Question" },
  in_doubt: { tone: "person", mark: "alert", text: "In doubt" },
  budget: { tone: "person", mark: "full", text: "Budget used up" },
  stuck: { tone: "fail", mark: "stop", text: "Stuck" },
};

const unknown = (status) => ({ tone: "off", mark: "ring", text: String(status || "-").replaceAll("_", " ") });
const of = (table) => (status) => (Object.hasOwn(table, status) ? table[status] : unknown(status));

export const jobStatus = of(JOBS);
export const taskStatus = of(TASKS);
export const workerStatus = of(WORKERS);
export const needKind = of(NEEDS);

/** The status of a job that is known as a whole: the API has one word for tasks that look for a worker and for those that have one. */
export function kindOf(job) {
  if (job.paused) return jobStatus("paused");
  const counts = job.task_counts || {};
  if (job.status === "waiting_for_worker" && counts.total) {
    if (counts.leased) return { tone: "run", mark: "play", text: "At a worker" };
    if (counts.queued) return { tone: "wait", mark: "queue", text: "Waits for a worker" };
  }
  return jobStatus(job.status);
}

/** Statuses of jobs that have not ended, in the order of a life. */
export const OPEN = ["pending", "running", "waiting_for_worker", "waiting_for_parallel_tasks", "waiting_for_sub_job", "waiting_for_human", "waiting_for_signal", "waiting", "awaiting_retry", "compensating", "quarantined"];
export const OVER = ["finished", "failed", "cancelled"];
export const isOver = (status) => OVER.includes(status);
