import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import type { ChatMessage } from "../../../control/chat/api.ts";
import { Avatar } from "../kit/avatar.tsx";
import { second } from "../state/clock.ts";
import { jumpTarget } from "../state/layers.ts";
import { messages } from "../state/messages.ts";
import { profileOf, NAMES } from "../state/people.ts";
import { parseMarkdown } from "../text/markdown.ts";
import { plainText } from "../text/plain-text.ts";

function Line({ userId, children }: { readonly userId: string; readonly children: ComponentChildren }) {
  const { name, tint, isBot } = profileOf(userId);
  return (
    <div class="reply-line row subtext">
      <Avatar name={name} isBot={isBot} size="tiny" />
      <strong class={`tinted ${tint}`}>{name}</strong>
      {children}
    </div>
  );
}

/** The message that is answered, cut to one line, as a link to it. */
export function ReplyLine({ messageId }: { readonly messageId: string }) {
  const target = messages.value.find(({ id }) => id === messageId);
  const text = target?.text ?? "";
  const blocks = useMemo(() => parseMarkdown(text), [text]);
  if (target === undefined) {
    return <em class="reply-line subtext">Original message was deleted</em>;
  }
  return (
    <Line userId={target.author.id}>
      <button
        type="button"
        class="clip"
        aria-label={`Go to ${target.author.name}’s message`}
        onClick={() => {
          jumpTarget.value = messageId;
        }}
      >
        {plainText(blocks, NAMES, second.value) || "Click to see attachment"}
      </button>
    </Line>
  );
}

export function UsedLine({ used }: { readonly used: NonNullable<ChatMessage["used"]> }) {
  return (
    <Line userId={used.userId}>
      used <span class="link-button">{used.command}</span>
    </Line>
  );
}
