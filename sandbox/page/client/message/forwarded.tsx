// A message that was forwarded, as it was then; nothing on it can be pressed.
import type { ForwardedMessage } from "../../../control/chat/api.ts";
import { Components } from "../components/component-view.tsx";
import { Icon } from "../kit/icon.tsx";
import { Markdown } from "../text/markdown-view.tsx";
import { AttachmentView } from "./media-file.tsx";

export function Forwarded({ forwarded }: { readonly forwarded: ForwardedMessage }) {
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
