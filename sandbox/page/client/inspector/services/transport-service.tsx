// Where trains come from: how much of the transport service's plan is used, and what was asked of which source.
import { signal } from "@preact/signals";
import type { TransportLedger } from "../../../../control/api/services.ts";
import { second } from "../../state/clock.ts";
import { Block } from "../parts/block.tsx";
import { CallList } from "../parts/call-list.tsx";
import { useTold } from "../parts/use-told.ts";
import { count, formatSpan, formatTime } from "../parts/words.ts";

const ledger = signal<TransportLedger | undefined>(undefined);

const SOURCE_WORDS = { transport: "transport", "rail-data": "rail data", tfl: "London" } as const;

export function TransportService() {
  const told = useTold("transport", ledger);
  if (told === undefined) {
    return null;
  }
  const { limit, used, windowMs, turnsAtMs } = told.plan;
  return (
    <>
      <Block title="The plan" aside={`${count(limit, "call")} in ${formatSpan(windowMs)}`}>
        <p class="figure">
          <strong>{used.toLocaleString("en-GB")}</strong> of {limit.toLocaleString("en-GB")} used
        </p>
        <meter aria-label="Plan used" max={limit} high={0.8 * limit} optimum={0} value={used} />
        <p class="subtext">
          Resets at {formatTime(turnsAtMs)}, in {formatSpan(turnsAtMs - second.value)}
        </p>
      </Block>
      <Block title="Calls" aside="latest first">
        <CallList
          calls={told.calls}
          more={({ source, weight }) => SOURCE_WORDS[source] + (weight === 1 ? "" : `, costs ${weight}`)}
        />
      </Block>
    </>
  );
}
