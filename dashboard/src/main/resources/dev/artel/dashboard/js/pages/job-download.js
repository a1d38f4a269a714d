// The whole history of a job as a file, read page by page.
import { get, part } from "../core/api.js";
import { toast } from "../components/toast.js";

/** Beyond this a browser is the wrong place: the command line writes a file. */
const MOST_EVENTS = 200_000;

export async function downloadHistory(job) {
  const path = `jobs/${part(job.id)}`;
  try {
    const pieces = ["["];
    let after = 0;
    let isFirst = true;
    for (;;) {
      const page = await get(`${path}/history`, { after, limit: 1000 });
      for (const event of page.items) {
        pieces.push((isFirst ? "\n" : ",\n") + JSON.stringify(event));
        isFirst = false;
        after = event.version;
      }
      if (!page.next_cursor || page.items.length === 0) break;
      if (after >= MOST_EVENTS) {
        toast(`Only the first ${after} events are in the file; ./artel job history --json has all`);
        break;
      }
    }
    pieces.push("\n]\n");
    const address = URL.createObjectURL(new Blob(pieces, { type: "application/json" }));
    const link = document.createElement("a");
    link.href = address;
    link.download = `${job.id}.history.json`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
  } catch (problem) {
    toast(`The history was not read: ${problem.message}`);
  }
}
