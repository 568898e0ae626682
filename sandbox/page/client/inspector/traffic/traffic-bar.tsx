// What of the traffic is shown.
import { Icon } from "../../kit/icon.tsx";
import { IconButton } from "../../kit/icon-button.tsx";
import { Segments } from "../../kit/segments.tsx";
import { tellTrouble } from "../../state/toast.ts";
import { TRAFFIC_KINDS } from "./filter-traffic.ts";
import { forgetTraffic, lookedAt, trafficKind, trafficWords } from "./traffic-state.ts";

const KIND_WORDS: Readonly<Record<(typeof TRAFFIC_KINDS)[number], string>> = {
  all: "All",
  rest: "REST",
  gateway: "Gateway",
  findings: "Findings",
};

export function TrafficBar() {
  return (
    <div class="traffic-bar panel">
      <div class="input row">
        <Icon name="search" />
        <input
          class="rest"
          type="search"
          aria-label="Filter"
          placeholder="Filter by path, event, status…"
          value={trafficWords.value}
          onInput={({ currentTarget }) => {
            trafficWords.value = currentTarget.value;
          }}
        />
        <IconButton icon="trash" label="Clear" onClick={() => void tellTrouble(forgetTraffic())} />
      </div>
      <Segments
        title="What to show"
        chosen={trafficKind.value}
        choices={TRAFFIC_KINDS.map((value) => ({ value, words: KIND_WORDS[value] }))}
        onChoose={(kind) => {
          trafficKind.value = kind;
        }}
      />
      {lookedAt.value !== undefined && (
        <p class="subtext">
          Only interaction <span class="mono">{lookedAt.value}</span>{" "}
          <button
            type="button"
            class="link-button"
            onClick={() => {
              lookedAt.value = undefined;
            }}
          >
            Show all
          </button>
        </p>
      )}
    </div>
  );
}
