// Announces new messages to screen readers. The list of messages is not itself a live region, because boards are edited
// every minute.
import { useEffect, useRef, useState } from "preact/hooks";
import type { ChatMessage } from "../../../control/chat/api.ts";
import { nowMs } from "../state/clock.ts";
import { NAMES } from "../state/people.ts";
import { parseMarkdown } from "../text/markdown.ts";
import { plainText } from "../text/plain-text.ts";

/** Characters of each message that are read out. */
const MAX_CHARACTERS = 300;
const MAX_ANNOUNCED = 5;

interface AnnouncerProps {
  readonly messages: readonly ChatMessage[];
  /** The messages that are there when this becomes true are old, so they are not announced. */
  readonly areLoaded: boolean;
}

export function Announcer({ messages, areLoaded }: AnnouncerProps) {
  const known = useRef<ReadonlySet<string>>();
  const [announced, setAnnounced] = useState<readonly { readonly id: string; readonly words: string }[]>([]);
  useEffect(() => {
    const before = known.current;
    // An answer is announced once it has arrived, not while the bot is thinking.
    const ready = messages.filter(({ loading }) => !loading);
    known.current = areLoaded ? new Set(ready.map(({ id }) => id)) : undefined;
    const news = before === undefined ? [] : ready.filter(({ id }) => !before.has(id));
    if (news.length > 0) {
      setAnnounced((now) =>
        [...now, ...news.map((one) => ({ id: one.id, words: textFor(one) }))].slice(-MAX_ANNOUNCED),
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

function textFor({ author, text, attachments, ephemeral }: ChatMessage): string {
  const files = attachments.map(({ description, filename }) => description ?? filename).join(", ");
  const words = [plainText(parseMarkdown(text), NAMES, nowMs()), files]
    .filter((part) => part !== "")
    .join(". ");
  return `${author.name}${ephemeral ? ", only to you" : ""}: ${words.slice(0, MAX_CHARACTERS)}`;
}
