import { signal } from "@preact/signals";
import type { ClockOrder, ClockState } from "../../../control/api/clock.ts";
import { useBusy } from "../components/use-busy.ts";
import { isFast, orderClock, second, setFast } from "../state/clock.ts";
import { reportFailure } from "../state/toast.ts";
import { formatDay, formatMoment, formatTime, UK } from "./format.ts";
import { Block, Switch, usePolled } from "./parts.tsx";

const STEPS = [
  { label: "1 minute", ms: 60_000 },
  { label: "10 minutes", ms: 600_000 },
  { label: "1 hour", ms: 3_600_000 },
  { label: "1 day", ms: 86_400_000 },
] as const;

const ZONE = new Intl.DateTimeFormat("en-GB", { timeZone: UK, timeZoneName: "short" });

const clock = signal<Pick<ClockState, "jumps">>({ jumps: [] });

export function ClockPanel() {
  const [isBusy, begin] = useBusy();
  // Polled, because the destination of a jump depends on the current time.
  const { jumps } = usePolled("clock", clock);
  const turn = (order: ClockOrder) => begin(() => reportFailure(orderClock(order)));
  const now = second.value;
  const zone = ZONE.formatToParts(now).find(({ type }) => type === "timeZoneName")?.value;
  return (
    <div class="panel">
      <div class="big-clock led" role="timer" aria-label="The sandbox’s clock, UK time">
        <time>{formatTime(now)}</time>
        <p>
          {formatDay(now)} {zone}
        </p>
      </div>
      <Block title="Pace">
        <Switch label="An hour in a minute" isOn={isFast.value} onTurn={setFast}>
          Time runs sixty times as fast while this page is open, but pauses while someone waits for an answer.
          Add a board to a channel and see it update.
        </Switch>
      </Block>
      <Block title="Forward">
        <div class="buttons row">
          {STEPS.map(({ label, ms }) => (
            <button
              key={ms}
              type="button"
              class="button"
              aria-disabled={isBusy}
              onClick={() => turn({ advanceMs: ms })}
            >
              {label}
            </button>
          ))}
        </div>
      </Block>
      <Block title="Jump to">
        {jumps.map(({ id, label, description, atMs }) => (
          <button
            key={id}
            type="button"
            class="card stack"
            aria-disabled={isBusy}
            onClick={() => {
              setFast(isFast.value && id !== "now");
              turn({ jump: id });
            }}
          >
            <strong>{label}</strong>
            <span class="subtext">
              {description} {id !== "now" && `${formatMoment(atMs)}.`}
            </span>
          </button>
        ))}
      </Block>
    </div>
  );
}
