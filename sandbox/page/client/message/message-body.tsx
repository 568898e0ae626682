// What a message says: who, when, why, and everything below.
import { useComputed } from "@preact/signals";
import type { ChatMessage } from "../../../control/chat/api.ts";
import { Components } from "../components/component-view.tsx";
import { Avatar } from "../kit/avatar.tsx";
import { Markdown } from "../text/markdown-view.tsx";
import { AttachmentView } from "./picture.tsx";
import { CompactTime, EditedMark, MessageHeader } from "./message-header.tsx";
import { ReplyLine, UsedLine } from "./reply-line.tsx";
import { Icon } from "../kit/icon.tsx";
import { second } from "../state/clock.ts";
import { attempt } from "../state/acts.ts";
import { failedPress } from "../state/acts.ts";

/** With this flag attachments show only where a component names them; without it, all of them. */
const COMPONENTS_V2 = 1 << 15;

interface MessageBodyProps {
  readonly message: ChatMessage;
  readonly isCompact: boolean;
}

export function MessageBody({ message, isCompact }: MessageBodyProps) {
  const { id, author, content, attachments, components, flags } = message;
  const surface = { messageId: id, attachments };
  const loose = (flags & COMPONENTS_V2) === 0 ? attachments : [];
  return (
    <>
      {message.repliesTo !== undefined && <ReplyLine messageId={message.repliesTo} />}
      {message.used !== undefined && <UsedLine used={message.used} />}
      <div class="message-frame">
        {isCompact ? (
          <CompactTime atMs={message.createdAtMs} />
        ) : (
          <Avatar name={author.name} isBot={author.bot} />
        )}
        <div class="rest">
          <MessageHeader message={message} isHidden={isCompact} />
          {message.loading && <Thinking name={author.name} sinceMs={message.createdAtMs} />}
          {content !== "" && <Markdown text={content} />}
          {loose.map((attachment) => (
            <AttachmentView key={attachment.id} attachment={attachment} />
          ))}
          {components.length > 0 && (
            <div class="components">
              <Components value={components} surface={surface} />
            </div>
          )}
          <EditedMark editedAtMs={message.editedAtMs} />
          <MessageFooter message={message} />
        </div>
      </div>
    </>
  );
}

/** "Signalbox is thinking…" is said until the answer comes, or for so long as an interaction's token lives. */
const TOKEN_LIFE_MS = 15 * 60_000;

function Thinking({ name, sinceMs }: { readonly name: string; readonly sinceMs: number }) {
  const isOver = useComputed(() => second.value - sinceMs >= TOKEN_LIFE_MS);
  return isOver.value ? (
    <p class="alarm">The application did not respond.</p>
  ) : (
    <p class="soft">{name} is thinking…</p>
  );
}

/** Below a message: that only one person sees it, that pressing something on it failed. */
function MessageFooter({ message: { id, ephemeral } }: { readonly message: ChatMessage }) {
  const failure = failedPress.value;
  return (
    <>
      {failure?.messageId === id && (
        <p class="message-note row alarm" role="alert">
          <Icon name="alarm" />
          {failure.problem}
        </p>
      )}
      {ephemeral && (
        <p class="message-note row subtext">
          <Icon name="eye" />
          Only you can see this ·{" "}
          <button type="button" class="link-button" onClick={() => attempt({ do: "dismiss", messageId: id })}>
            Dismiss message
          </button>
        </p>
      )}
    </>
  );
}
