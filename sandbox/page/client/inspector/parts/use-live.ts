// What an open panel does: it fetches at once and whenever the stream came back, and hears what goes on.
import { useEffect } from "preact/hooks";
import type { InspectorEvent } from "../../../../control/api/events.ts";
import { wordsOf } from "../../state/acts.ts";
import { hearInspector, listenToReturn } from "../../state/live.ts";
import { tell } from "../../state/toast.ts";

/** Both are taken as they are when the panel opens. */
export function useLive(load: () => Promise<void>, hear: (event: InspectorEvent) => void): void {
  useEffect(() => {
    const refresh = () => tellTrouble(load());
    const ends = [hearInspector(hear), listenToReturn(refresh)];
    refresh();
    return () => ends.forEach((end) => end());
  }, []);
}

/** Tells at the bottom of the page what went wrong, if anything does. */
export function tellTrouble(work: Promise<unknown>): void {
  void settled(work);
}

/** The same, for whoever waits for the end. */
export function settled(work: Promise<unknown>): Promise<void> {
  return work.then(
    () => undefined,
    (error: unknown) => tell(wordsOf(error), "alarm"),
  );
}
