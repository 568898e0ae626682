// What the bot wrote last.
import { useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { BotLog } from "../../../../control/api/bot.ts";
import { ask } from "../../api/request.ts";
import { listen } from "../../state/live.ts";
import { useTail } from "../parts/use-tail.ts";
import { formatTime } from "../parts/words.ts";
import { parseLogLine, type LogLine } from "./log-lines.ts";

/** The bot's lines have no event of their own. */
const LOOK_EVERY_MS = 2000;

export function BotLogView() {
  const text = useSignal("");
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const read = async () => {
      const { lines } = await ask<BotLog>("bot/log");
      text.value = lines.join("\n");
    };
    // A break is told of by the page.
    const look = () => void read().catch(() => undefined);
    look();
    const timer = setInterval(look, LOOK_EVERY_MS);
    const end = listen("bot", look);
    return () => {
      clearInterval(timer);
      end();
    };
  }, []);
  const lines = useMemo(() => text.value.split("\n").filter(Boolean).map(parseLogLine), [text.value]);
  useTail(list, lines);
  return (
    <section class="block bot-log" aria-labelledby="log-title">
      <header>
        <h3 id="log-title">Log</h3>
      </header>
      <div ref={list} class="log" tabIndex={0} role="group" aria-labelledby="log-title">
        {lines.length === 0 ? (
          <p class="empty">
            Nothing yet. By default, the bot only logs problems. To see more, use{" "}
            <code>LOG_LEVEL=info npm run sandbox</code>.
          </p>
        ) : (
          <ol>
            {lines.map((line, index) => (
              <Line key={index} line={line} />
            ))}
          </ol>
        )}
      </div>
    </section>
  );
}

function Line({ line: { level, time, words, fields } }: { readonly line: LogLine }) {
  return (
    <li class={`log-line ${level}`}>
      {time !== undefined && <time class="call-time soft">{formatTime(Date.parse(time))}</time>}
      {level !== "said" && <span class="log-level soft">{level}</span>}
      <span class="log-words">{words}</span>
      {fields !== "" && (
        <details>
          <summary>more</summary>
          <pre>{fields}</pre>
        </details>
      )}
    </li>
  );
}
