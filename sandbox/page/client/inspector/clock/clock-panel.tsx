// The sandbox's clock, large, and what turns it.
import { signal } from "@preact/signals";
import type { ClockOrder, ClockState } from "../../../../control/api/clock.ts";
import { ask, send } from "../../api/request.ts";
import { startTry, tries } from "../../chat/tries.ts";
import { useBusy } from "../../components/use-busy.ts";
import { rate } from "../../state/clock.ts";
import { coalesce } from "../../state/coalesce.ts";
import { listen } from "../../state/live.ts";
import { Switch } from "../parts/switch.tsx";
import { settled, useLive } from "../parts/use-live.ts";
import { useEffect } from "preact/hooks";
import { BigClock } from "./big-clock.tsx";
import { Jumps } from "./jumps.tsx";

const STEPS = [
  { words: "1 minute", ms: 60_000 },
  { words: "10 minutes", ms: 600_000 },
  { words: "1 hour", ms: 3_600_000 },
] as const;

const jumps = signal<ClockState["jumps"]>([]);

const loadJumps = coalesce(async () => {
  jumps.value = (await ask<ClockState>("clock")).jumps;
});

async function order(what: ClockOrder): Promise<void> {
  jumps.value = (await send<ClockState>("clock", what)).jumps;
}

export function ClockPanel() {
  const [isBusy, begin] = useBusy();
  useLive(loadJumps, () => undefined);
  // Where a jump leads depends on when it is.
  useEffect(() => listen("clock", () => void loadJumps().catch(() => undefined)), []);
  const turn = (what: ClockOrder) => begin(() => settled(order(what)));
  const isFast = rate.value !== 1;
  return (
    <div class="panel">
      <BigClock isBusy={isBusy} />
      <section class="block" aria-labelledby="pace-title">
        <h3 class="hidden" id="pace-title">
          Pace
        </h3>
        <Switch label="An hour in a minute" isOn={isFast} onTurn={(isOn) => turn({ rate: isOn ? 60 : 1 })}>
          Time runs sixty times as fast, but pauses while someone waits for an answer.
        </Switch>
      </section>
      <section class="block" aria-labelledby="forward-title">
        <header>
          <h3 id="forward-title">Forward</h3>
        </header>
        <div class="buttons">
          {STEPS.map(({ words, ms }) => (
            <button
              key={ms}
              type="button"
              class="button"
              aria-disabled={isBusy}
              onClick={() => turn({ advanceMs: ms })}
            >
              {words}
            </button>
          ))}
        </div>
      </section>
      <Jumps jumps={jumps.value} isBusy={isBusy} onJump={(jump) => turn({ jump })} />
      <BoardHint />
    </div>
  );
}

/** What the clock is turned for. */
function BoardHint() {
  const board = tries.value.find(({ id }) => id === "board");
  return board === undefined ? null : (
    <p class="hint soft">
      To see a board update, add one to a channel, then turn on “An hour in a minute”.{" "}
      <button type="button" class="link-button" onClick={() => startTry(board)}>
        Type the command for me
      </button>
    </p>
  );
}
