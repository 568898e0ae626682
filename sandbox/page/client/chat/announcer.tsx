// Tells a screen reader what is new. The list itself is silent: it also grows upwards, and is edited every minute.
import { useEffect, useRef, useState } from "preact/hooks";
import type { ChatMessage } from "../../../control/chat/api.ts";
import { nowMs } from "../state/clock.ts";
import { NAMES } from "../state/people.ts";
import { parseMarkdown } from "../text/markdown.ts";
import { plainText } from "../text/plain-text.ts";

/** So many words of each are read out. */
const MAX_CHARACTERS = 300;
const MAX_ANNOUNCED = 5;

interface AnnouncerProps {
  readonly messages: readonly ChatMessage[];
  /** Before, what comes is the channel's past. */
  readonly areLoaded: boolean;
}

export function Announcer({ messages, areLoaded }: AnnouncerProps) {
  const known = useRef<ReadonlySet<string>>();
  const [announced, setAnnounced] = useState<readonly { readonly id: string; readonly words: string }[]>([]);
  useEffect(() => {
    const before = known.current;
    // What the bot is still thinking about is told when it is there.
    const ready = messages.filter(({ loading }) => !loading);
    if (areLoaded) {
      known.current = new Set(ready.map(({ id }) => id));
    }
    const news = before === undefined ? [] : ready.filter(({ id }) => !before.has(id));
    if (news.length > 0) {
      setAnnounced((now) =>
        [...now, ...news.map((one) => ({ id: one.id, words: wordsFor(one) }))].slice(-MAX_ANNOUNCED),
      );
    }
  }, [messages, areLoaded]);
  return (
    <div class="hidden" role="log" aria-live="polite" aria-relevant="additions" aria-label="New messages">
      {announced.map(({ id, words }) => (
        <p key={id}>{words}</p>
      ))}
    </div>
  );
}

function wordsFor({ author, text, attachments, ephemeral }: ChatMessage): string {
  const files = attachments.map(({ description, filename }) => description ?? filename).join(", ");
  const words = [plainText(parseMarkdown(text), NAMES, nowMs()), files]
    .filter((part) => part !== "")
    .join(". ");
  return `${author.name}${ephemeral ? ", only to you" : ""}: ${words.slice(0, MAX_CHARACTERS)}`;
}
