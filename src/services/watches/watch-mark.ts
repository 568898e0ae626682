// The mark that an incident's message carries in its buttons: which watch it is of, and which of its days. By it the
// message is found again after a crash or a lost answer.
import { parseComponentId } from "../../core/component-id.ts";
import type { IncidentKey } from "../../storage/incidents-table.ts";

/** What a button carries beside the watch's own id, which is `w`: `d` is the day. */
export function formatIncidentMark({ day }: Pick<IncidentKey, "day">): { readonly d: string } {
  return { d: day };
}

/** Finds the mark among the ids of a message's components; `undefined` where there is none. */
export function findIncidentMark(componentIds: readonly string[]): IncidentKey | undefined {
  for (const id of componentIds) {
    const target = parseComponentId(id);
    const { w: watchId = "", d: day = "" } = target?.args ?? {};
    if (target?.command.startsWith("watch/") && watchId !== "" && day !== "") {
      return { watchId, day };
    }
  }
  return undefined;
}
