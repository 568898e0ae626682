// Tells a screen reader what is new. The list itself is silent: it also grows upwards, and is edited every minute.
import type { ChatMessage } from "../../../control/chat/api.ts";
import { nowMs } from "../state/clock.ts";
import { NAMES } from "../state/people.ts";
import { plainWords } from "../text/plain-words.ts";

/** So many words of each are read out. */
const MOST_CHARACTERS = 300;
const KEPT = 5;

export function Announcer({ messages }: { readonly messages: readonly ChatMessage[] }) {
  // What the bot is still thinking about is told when it is there.
  const ready = messages.filter(({ loading }) => !loading).slice(-KEPT);
  return (
    <div class="hidden" role="log" aria-live="polite" aria-relevant="additions" aria-label="New messages">
      {ready.map((one) => (
        <p key={one.id}>{wordsFor(one)}</p>
      ))}
    </div>
  );
}

function wordsFor({ author, text, attachments, ephemeral }: ChatMessage): string {
  const files = attachments.map(({ description, filename }) => description ?? filename).join(", ");
  const words = [plainWords(text, NAMES, nowMs()), files].filter((part) => part !== "").join(". ");
  return `${author.name}${ephemeral ? ", only to you" : ""}: ${words.slice(0, MOST_CHARACTERS)}`;
}
