// What a message says: who, when, why, and everything below.
import type { ChatMessage, ForwardedMessage } from "../../../control/chat/api.ts";
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

/** With this flag attachments show only where a component names them; without it, all that no embed shows. */
const COMPONENTS_V2 = 1 << 15;

interface MessageBodyProps {
  readonly message: ChatMessage;
  readonly isCompact: boolean;
}

export function MessageBody({ message, isCompact }: MessageBodyProps) {
  const { id, author, content, attachments, components, embeds, flags, forwarded } = message;
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
          {forwarded !== undefined && <Forwarded forwarded={forwarded} />}
          {loose.map((attachment) => (
            <AttachmentView key={attachment.id} attachment={attachment} />
          ))}
          {embeds.length > 0 && <p class="subtext">An embed, which the sandbox’s page doesn’t show.</p>}
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

/** A message that was forwarded, as it was then; nothing on it can be pressed. */
function Forwarded({ forwarded }: { readonly forwarded: ForwardedMessage }) {
  const { content, attachments, components } = forwarded;
  return (
    <div class="forwarded">
      <p class="subtext">
        <Icon name="forward" /> Forwarded
      </p>
      {content !== "" && <Markdown text={content} />}
      {components.length === 0 &&
        attachments.map((attachment) => <AttachmentView key={attachment.id} attachment={attachment} />)}
      <Components value={components} surface={{ messageId: undefined, attachments }} />
    </div>
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
