// What a message says: who, when, why, and everything below.
import type { ChatMessage } from "../../../control/chat/api.ts";
import { Components } from "../components/component-view.tsx";
import { Avatar } from "../kit/avatar.tsx";
import { Markdown } from "../text/markdown-view.tsx";
import { AttachmentView } from "./picture.tsx";
import { CompactTime, EditedMark, MessageHeader } from "./message-header.tsx";
import { ReplyLine, UsedLine } from "./reply-line.tsx";
import { Thinking } from "./thinking.tsx";
import { Icon } from "../kit/icon.tsx";
import { attempt } from "../state/acts.ts";
import { failedPresses } from "../state/pending.ts";

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

/** Below a message: that only one person sees it, that pressing something on it failed. */
function MessageFooter({ message: { id, ephemeral } }: { readonly message: ChatMessage }) {
  const failure = failedPresses.value.get(id);
  return (
    <>
      {failure !== undefined && (
        <p class="message-note row alarm" role="alert">
          <Icon name="alarm" />
          {failure}
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
