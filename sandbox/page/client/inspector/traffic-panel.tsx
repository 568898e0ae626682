// Gateway events and REST calls as they happen, the latest at the end.
import { useSignal } from "@preact/signals";
import { Icon } from "../kit/icon.tsx";
import { IconButton } from "../kit/icon-button.tsx";
import { Tail } from "../kit/tail.tsx";
import { tellTrouble } from "../state/toast.ts";
import { TrafficRow } from "./traffic-row.tsx";
import { forgetTraffic, shownTraffic, trafficWords } from "./traffic-state.ts";

export function TrafficPanel() {
  const opened = useSignal<number | undefined>(undefined);
  const turn = (id: number) => {
    opened.value = opened.value === id ? undefined : id;
  };
  return (
    <div class="traffic">
      <div class="panel">
        <div class="input row">
          <Icon name="search" />
          <input
            class="rest"
            type="search"
            aria-label="Filter"
            placeholder="Filter by path, event, status, error…"
            value={trafficWords.value}
            onInput={({ currentTarget }) => {
              trafficWords.value = currentTarget.value;
            }}
          />
          <IconButton icon="trash" label="Clear" onClick={() => void tellTrouble(forgetTraffic())} />
        </div>
      </div>
      <Tail class="traffic-list" jump="Follow the latest">
        <ol aria-label="Gateway events and REST calls, latest last">
          {shownTraffic.value.map((entry) => (
            <TrafficRow key={entry.id} entry={entry} isOpen={entry.id === opened.value} onTurn={turn} />
          ))}
        </ol>
        {shownTraffic.value.length === 0 && <p class="panel subtext">Nothing to show. Run a command.</p>}
      </Tail>
    </div>
  );
}
