// What time it is in the sandbox, as a station would show it.
import { moment } from "../../state/clock.ts";
import { formatTimestamp } from "../../text/timestamp.ts";
import { formatTime, UK } from "../parts/words.ts";

const ZONE = new Intl.DateTimeFormat("en-GB", { timeZone: UK, timeZoneName: "short" });

export function BigClock({ isBusy }: { readonly isBusy: boolean }) {
  const now = moment.value;
  const day = formatTimestamp(now / 1000, "F", 0, UK).replace(/ at .*$|,? \d\d:\d\d$/, "");
  const zone = ZONE.formatToParts(now).find(({ type }) => type === "timeZoneName")?.value ?? "";
  return (
    <div
      class={isBusy ? "big-clock turning" : "big-clock"}
      role="timer"
      aria-label="The sandbox’s clock, UK time"
    >
      <time class="big-clock-time">{formatTime(now)}</time>
      <p>
        {day} <span class="big-clock-zone">{zone}</span>
      </p>
    </div>
  );
}
