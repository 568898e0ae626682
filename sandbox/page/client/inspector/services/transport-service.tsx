// Where trains come from: how much of the transport service's plan is used, and what was asked of which source.
import type { TransportLedger } from "../../../../control/api/services.ts";
import { second } from "../../state/clock.ts";
import { CallList } from "../parts/call-list.tsx";
import { createLedger } from "../parts/ledger.ts";
import { Meter } from "../parts/meter.tsx";
import { count, formatSpan, formatTime } from "../parts/words.ts";

const ledger = createLedger<TransportLedger>("transport");

const SOURCE_WORDS = { transport: "transport", "rail-data": "rail data", tfl: "London" } as const;

export function TransportService() {
  const told = ledger.use();
  if (told === undefined) {
    return null;
  }
  const { plan, callers, calls } = told;
  return (
    <>
      <section class="block" aria-labelledby="plan-title">
        <header>
          <h3 id="plan-title">The plan</h3>
          <span class="subtext">{`${count(plan.limit, "call")} in ${spanWords(plan.windowMs)}`}</span>
        </header>
        <p class="figure soft">
          <strong>{plan.used.toLocaleString("en-GB")}</strong> of {plan.limit.toLocaleString("en-GB")} used
        </p>
        <Meter
          label="Plan used"
          kind="limit"
          value={plan.used}
          most={plan.limit}
          words={`${plan.used} of ${count(plan.limit, "call")}`}
        />
        <Turn atMs={plan.turnsAtMs} />
        {callers.length > 1 && (
          <ul class="tally">
            {callers.map(({ caller, calls: many, weight }) => (
              <li key={caller}>
                <span>{caller}</span>
                <span class="subtext">
                  {count(many, "call")}, weight {weight}
                </span>
              </li>
            ))}
          </ul>
        )}
      </section>
      <section class="block" aria-labelledby="transport-calls">
        <header>
          <h3 id="transport-calls">Calls</h3>
          <span class="subtext">latest first</span>
        </header>
        <CallList
          calls={calls}
          more={({ source, weight }) => (
            <span class="call-note">
              {SOURCE_WORDS[source]}
              {weight !== 1 && `, costs ${weight}`}
            </span>
          )}
        />
      </section>
    </>
  );
}

function Turn({ atMs }: { readonly atMs: number }) {
  return (
    <p class="subtext">
      Resets at {formatTime(atMs)}, in {formatSpan(atMs - second.value)}
    </p>
  );
}

/** `an hour`, `a day`, or as it is. */
function spanWords(spanMs: number): string {
  return { "1 hour": "an hour", "1 day": "a day" }[formatSpan(spanMs)] ?? formatSpan(spanMs);
}
