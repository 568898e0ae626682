// Gateway events and REST calls as they happen, the latest at the end.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Tail } from "../../kit/tail.tsx";
import { hearInspector, listenToReturn } from "../../state/live.ts";
import { tellTrouble } from "../../state/toast.ts";
import { TrafficBar } from "./traffic-bar.tsx";
import { TrafficRow } from "./traffic-row.tsx";
import { hasTraffic, hearTraffic, loadTraffic, shownTraffic } from "./traffic-state.ts";

export function TrafficPanel() {
  useEffect(() => {
    const load = () => void tellTrouble(loadTraffic());
    const ends = [hearInspector(hearTraffic), listenToReturn(load)];
    load();
    return () => ends.forEach((end) => end());
  }, []);
  const opened = useSignal<number | undefined>(undefined);
  const shown = shownTraffic.value;
  const turn = (id: number) => {
    opened.value = opened.value === id ? undefined : id;
  };
  return (
    <div class="traffic">
      <TrafficBar />
      <Tail class="traffic-list" jump="Follow the latest">
        <ol aria-label="Gateway events and REST calls, latest last">
          {shown.map((entry) => (
            <TrafficRow key={entry.id} entry={entry} isOpen={entry.id === opened.value} onTurn={turn} />
          ))}
        </ol>
        {shown.length === 0 && (
          <p class="panel subtext">
            {hasTraffic.value
              ? "Nothing matches the filter."
              : "Nothing yet. Run a command to see its traffic here."}
          </p>
        )}
      </Tail>
    </div>
  );
}
