import type { BotOrder, BotState } from "../../../control/api/bot.ts";
import { send } from "../api/request.ts";
import { useBusy } from "../components/use-busy.ts";
import { bot } from "../state/bot.ts";
import { reportFailure } from "../state/toast.ts";

const STATE_WORDS: Readonly<
  Record<BotState["state"], { readonly title: string; readonly about: string; readonly tone: string }>
> = {
  starting: { title: "Starting…", about: "Ready in a moment.", tone: "warning" },
  ready: { title: "Ready", about: "Connected to Discord.", tone: "good" },
  stopped: { title: "Stopped", about: "It isn't responding to members right now.", tone: "alarm" },
  none: { title: "Elsewhere", about: "This sandbox runs no bot. Any bot can log in.", tone: "soft" },
};

const ORDERS = {
  start: { label: "Start", style: "primary" },
  restart: { label: "Restart", style: "primary" },
  kill: { label: "Kill", style: "danger" },
} as const satisfies Record<BotOrder["do"], object>;

async function sendOrder(what: BotOrder["do"]): Promise<void> {
  bot.value = await send("bot", { do: what });
}

export function BotPanel() {
  const { state, pid, starts, problem } = bot.value;
  const [isBusy, begin] = useBusy();
  const isIdle = !isBusy && state !== "starting";
  const { title, about, tone } = STATE_WORDS[state];
  const offered = state === "stopped" ? (["start"] as const) : (["restart", "kill"] as const);
  return (
    <div class="panel">
      <section class="block card" aria-label="The bot">
        <p class="row" role="status">
          <strong class={`status ${tone}`}>{title}</strong> {problem ?? about}
        </p>
        {state !== "none" && (
          <>
            <p class="subtext">
              {pid === null ? "No process" : `Process ${pid}`}, started{" "}
              {starts === 1 ? "once" : `${starts} times`}
            </p>
            <div class="buttons row">
              {offered.map((what) => (
                <button
                  key={what}
                  type="button"
                  class={`button ${ORDERS[what].style}`}
                  aria-disabled={!isIdle}
                  onClick={() => isIdle && begin(() => reportFailure(sendOrder(what)))}
                >
                  {ORDERS[what].label}
                </button>
              ))}
            </div>
            <p class="subtext">
              Both Restart and Kill end the bot suddenly, like a crash. Its database stays, and the buttons on
              its messages work again once it's back. Its log is in the terminal.
            </p>
          </>
        )}
      </section>
    </div>
  );
}
