// Above a message: what it answers.
import type { ChatMessage } from "../../../control/chat/api.ts";
import { Avatar } from "../kit/avatar.tsx";
import { second } from "../state/clock.ts";
import { jumpTarget } from "../state/layers.ts";
import { messages } from "../state/messages.ts";
import { lookOf, NAMES } from "../state/people.ts";
import { plainWords } from "../text/plain-words.ts";

/** The message that is replied to, in a line. */
export function ReplyLine({ messageId }: { readonly messageId: string }) {
  const target = messages.value.find(({ id }) => id === messageId);
  if (target === undefined) {
    return (
      <div class="reply-line">
        <em>Original message was deleted</em>
      </div>
    );
  }
  const { name, tint, isBot } = lookOf(target.author.id, target.author.name);
  const words = plainWords(target.text, NAMES, second.value);
  return (
    <div class="reply-line">
      <Avatar id={target.author.id} name={name} isBot={isBot} size="small" />
      <span class={`reply-author ${tint}`}>{name}</span>
      <button
        type="button"
        class="reply-words"
        aria-label={`Go to the message of ${name}`}
        onClick={() => {
          jumpTarget.value = messageId;
        }}
      >
        {words === "" ? "Click to see attachment" : words}
      </button>
    </div>
  );
}

/** The command that is answered. */
export function UsedLine({ used }: { readonly used: NonNullable<ChatMessage["used"]> }) {
  const { name, tint, isBot } = lookOf(used.userId);
  return (
    <div class="reply-line">
      <Avatar id={used.userId} name={name} isBot={isBot} size="small" />
      <span class={`reply-author ${tint}`}>{name}</span> used <span class="used-command">{used.command}</span>
    </div>
  );
}
