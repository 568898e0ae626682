// Gateway events and REST calls as they happen, the latest at the end.
import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { useLive } from "../parts/use-live.ts";
import { useTail } from "../parts/use-tail.ts";
import { TrafficBar } from "./traffic-bar.tsx";
import { TrafficRow } from "./traffic-row.tsx";
import { hasTraffic, hearTraffic, loadTraffic, shownTraffic } from "./traffic-state.ts";

export function TrafficPanel() {
  useLive(loadTraffic, hearTraffic);
  const list = useRef<HTMLDivElement>(null);
  const opened = useSignal<number | undefined>(undefined);
  const shown = shownTraffic.value;
  const isFollowing = useTail(list, shown);
  const turn = (id: number) => {
    opened.value = opened.value === id ? undefined : id;
    // Whoever reads is not carried away by what comes.
    isFollowing.value = false;
  };
  return (
    <div class="traffic">
      <TrafficBar />
      <div ref={list} class="traffic-scroll">
        <ol class="traffic-list" aria-label="Gateway events and REST calls, latest last">
          {shown.map((entry) => (
            <TrafficRow key={entry.id} entry={entry} isOpen={entry.id === opened.value} onTurn={turn} />
          ))}
        </ol>
        {shown.length === 0 && (
          <p class="empty">
            {hasTraffic.value
              ? "Nothing matches the filter."
              : "Nothing yet. Run a command to see its traffic here."}
          </p>
        )}
      </div>
      {!isFollowing.value && (
        <button
          type="button"
          class="to-latest"
          onClick={() => {
            isFollowing.value = true;
          }}
        >
          Follow the latest
        </button>
      )}
    </div>
  );
}
