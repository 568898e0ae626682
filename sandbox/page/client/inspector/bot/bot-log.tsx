// What the bot wrote last.
import { signal } from "@preact/signals";
import type { BotLog } from "../../../../control/api/bot.ts";
import { Tail } from "../../kit/tail.tsx";
import { Block } from "../parts/block.tsx";
import { useTold } from "../parts/use-told.ts";

const log = signal<BotLog | undefined>(undefined);

export function BotLogView() {
  const { lines = [] } = useTold("bot/log", log) ?? {};
  return (
    <Block title="Log">
      {lines.length === 0 ? (
        <p class="subtext">
          Nothing yet. By default, the bot only logs problems. To see more, use{" "}
          <code>LOG_LEVEL=info npm run sandbox</code>.
        </p>
      ) : (
        <Tail class="log code card" jump="Latest lines">
          <pre class="mono" tabIndex={0}>
            {lines.map(readLine).join("\n")}
          </pre>
        </Tail>
      )}
    </Block>
  );
}

/** A line of its log for a person; what is no JSON, e.g. of a crash, as it is. */
function readLine(line: string): string {
  try {
    // Written by the bot's own log.
    const { level, time, msg, ...fields } = JSON.parse(line) as Readonly<Record<string, unknown>>;
    return [time, level, msg, JSON.stringify(fields)].join(" ");
  } catch {
    return line;
  }
}
