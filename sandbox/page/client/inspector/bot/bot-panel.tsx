// The bot's process: how it is, what it wrote, and how to end and start it.
import type { BotOrder, BotState } from "../../../../control/api/bot.ts";
import { send } from "../../api/request.ts";
import { useBusy } from "../../components/use-busy.ts";
import { Icon, type IconName } from "../../kit/icon.tsx";
import { bot } from "../../state/bot.ts";
import { tellTrouble } from "../../state/toast.ts";
import { count } from "../parts/words.ts";
import { BotLogView } from "./bot-log.tsx";

const STATE_WORDS: Readonly<Record<BotState["state"], { readonly title: string; readonly about: string }>> = {
  starting: { title: "Starting…", about: "Ready in a moment." },
  ready: { title: "Ready", about: "Connected to Discord." },
  stopped: { title: "Stopped", about: "It isn't responding to members right now." },
  none: { title: "Elsewhere", about: "This sandbox runs no bot. Any bot can log in." },
};

interface Order {
  readonly what: BotOrder["do"];
  readonly words: string;
  readonly icon: IconName;
  readonly look: string;
}

const START: readonly Order[] = [{ what: "start", words: "Start", icon: "play", look: "primary" }];
const END: readonly Order[] = [
  { what: "restart", words: "Restart", icon: "restart", look: "primary" },
  { what: "kill", words: "Kill", icon: "stop", look: "danger" },
];

async function give(what: BotOrder["do"]): Promise<void> {
  bot.value = await send<BotState>("bot", { do: what });
}

export function BotPanel() {
  const { state, pid, starts, problem } = bot.value;
  const [isBusy, begin] = useBusy();
  const isIdle = !isBusy && state !== "starting";
  const { title, about } = STATE_WORDS[state];
  return (
    <div class="panel">
      <section class="block card" aria-label="The bot">
        <div class={`row bot-state ${state}`} role="status">
          <span class="stack">
            <strong>{title}</strong>
            <span class="subtext">{problem ?? about}</span>
          </span>
        </div>
        {state !== "none" && (
          <>
            <p class="subtext">
              {pid === null ? "No process" : `Process ${pid}`}, started{" "}
              {starts === 1 ? "once" : count(starts, "time")}
            </p>
            <div class="buttons row">
              {(state === "stopped" ? START : END).map(({ what, words, icon, look }) => (
                <button
                  key={what}
                  type="button"
                  class={`button ${look}`}
                  aria-disabled={!isIdle}
                  onClick={() => isIdle && begin(() => tellTrouble(give(what)))}
                >
                  <Icon name={icon} /> {words}
                </button>
              ))}
            </div>
            <p class="subtext">
              {state === "stopped"
                ? "Its database is still there."
                : "Both end the bot suddenly, like a crash. Its database stays."}{" "}
              The buttons on its messages work again once it's back.
            </p>
          </>
        )}
      </section>
      {state !== "none" && <BotLogView />}
    </div>
  );
}
