// The bot's process: how it is, what it wrote, and how to end and start it.
import type { BotOrder, BotState } from "../../../../control/api/bot.ts";
import { send } from "../../api/request.ts";
import { useBusy } from "../../components/use-busy.ts";
import { Icon } from "../../kit/icon.tsx";
import { bot } from "../../state/bot.ts";
import { settled } from "../parts/use-live.ts";
import { count } from "../parts/words.ts";
import { BotLogView } from "./bot-log.tsx";

const STATE_WORDS: Readonly<Record<BotState["state"], { readonly title: string; readonly about: string }>> = {
  starting: { title: "Starting…", about: "Ready in a moment." },
  ready: { title: "Ready", about: "Connected to Discord." },
  stopped: { title: "Stopped", about: "It isn't responding to members right now." },
  none: { title: "Elsewhere", about: "This sandbox runs no bot. Any bot can log in." },
};

async function order(what: BotOrder["do"]): Promise<void> {
  bot.value = await send<BotState>("bot", { do: what });
}

export function BotPanel() {
  const { state, pid, starts, problem } = bot.value;
  const [isBusy, begin] = useBusy();
  const isIdle = !isBusy && state !== "starting";
  const press = (what: BotOrder["do"]) => isIdle && begin(() => settled(order(what)));
  const { title, about } = STATE_WORDS[state];
  return (
    <div class="panel">
      <section class={`block bot-state ${state}`} aria-labelledby="bot-title">
        <div class="bot-line row" role="status">
          <span class="bot-lamp" aria-hidden="true" />
          <span class="row-words stack">
            <span class="row-title" id="bot-title">
              {title}
            </span>
            <span class="row-about soft">{problem ?? about}</span>
          </span>
        </div>
        {state !== "none" && (
          <>
            <p class="subtext">
              {pid === null ? "No process" : `Process ${pid}`}, started {timesWords(starts)}
            </p>
            <div class="buttons">
              {state === "stopped" ? (
                <button
                  type="button"
                  class="button primary"
                  aria-disabled={!isIdle}
                  onClick={() => press("start")}
                >
                  <Icon name="play" /> Start
                </button>
              ) : (
                <>
                  <button
                    type="button"
                    class="button primary"
                    aria-disabled={!isIdle}
                    onClick={() => press("restart")}
                  >
                    <Icon name="restart" /> Restart
                  </button>
                  <button
                    type="button"
                    class="button danger"
                    aria-disabled={!isIdle}
                    onClick={() => press("kill")}
                  >
                    <Icon name="stop" /> Kill
                  </button>
                </>
              )}
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

function timesWords(starts: number): string {
  return starts === 1 ? "once" : count(starts, "time");
}
