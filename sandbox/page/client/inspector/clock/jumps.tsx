// Moments worth seeing.
import type { ClockState, JumpId } from "../../../../control/api/clock.ts";
import { Icon, type IconName } from "../../kit/icon.tsx";
import { formatMoment } from "../parts/words.ts";

const ICONS: Readonly<Record<JumpId, IconName>> = {
  now: "clock",
  "rush-hour": "people",
  night: "moon",
  "spring-change": "sun",
  "autumn-change": "restart",
};

interface JumpsProps {
  readonly jumps: ClockState["jumps"];
  readonly isBusy: boolean;
  readonly onJump: (id: JumpId) => void;
}

export function Jumps({ jumps, isBusy, onJump }: JumpsProps) {
  return (
    <section class="block" aria-labelledby="jumps-title">
      <header>
        <h3 id="jumps-title">Jump to</h3>
      </header>
      <ul class="jumps">
        {jumps.map(({ id, label, description, atMs }) => (
          <li key={id} class="jump">
            <Icon name={ICONS[id]} />
            <div class="row-words stack">
              <button
                type="button"
                class="jump-button row-title"
                aria-disabled={isBusy}
                aria-describedby={`jump-${id}`}
                onClick={() => onJump(id)}
              >
                {label}
              </button>
              <span class="row-about soft" id={`jump-${id}`}>
                {description} {id !== "now" && <time class="jump-time">{formatMoment(atMs)}</time>}
              </span>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
