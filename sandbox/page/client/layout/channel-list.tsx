// The channels of a guild with their threads, or the direct messages.
import type { SceneChannel } from "../../../control/chat/api.ts";
import { iconOf, isDirect } from "../chat/channel-title.ts";
import { Avatar } from "../kit/avatar.tsx";
import { Icon } from "../kit/icon.tsx";
import { drawer } from "../state/layers.ts";
import { unread } from "../state/messages.ts";
import { personOf } from "../state/scene.ts";
import { channelId, openChannel } from "../state/session.ts";

interface ChannelListProps {
  readonly title: string;
  readonly channels: readonly SceneChannel[];
}

export function ChannelList({ title, channels }: ChannelListProps) {
  const threadsOf = (parent: SceneChannel) => channels.filter(({ parentId }) => parentId === parent.id);
  const top = channels.filter(
    ({ parentId }) => parentId === undefined || !channels.some(({ id }) => id === parentId),
  );
  return (
    <nav class="channels" aria-label={`Channels of ${title}`}>
      <h2 class="places-title strong">{title}</h2>
      <ul>
        {top.map((channel) => {
          const threads = threadsOf(channel);
          return (
            <li key={channel.id}>
              <ChannelButton channel={channel} />
              {threads.length > 0 && (
                <ul class="threads" aria-label={`Threads of ${channel.name}`}>
                  {threads.map((thread) => (
                    <li key={thread.id}>
                      <ChannelButton channel={thread} />
                    </li>
                  ))}
                </ul>
              )}
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

function ChannelButton({ channel }: { readonly channel: SceneChannel }) {
  const { id, name } = channel;
  const isUnread = unread.value.has(id);
  const other = isDirect(channel) ? personOf(channel.recipientIds[0] ?? "") : undefined;
  return (
    <button
      type="button"
      class={`channel ${isUnread ? "unread" : ""}`}
      aria-current={id === channelId.value ? "page" : undefined}
      onClick={() => {
        openChannel(id);
        drawer.value = undefined;
      }}
    >
      {other === undefined ? (
        <Icon name={iconOf(channel)} />
      ) : (
        <Avatar id={other.id} name={other.name} isBot={other.bot} size="small" />
      )}
      <span class="channel-name clip">{name}</span>
      {isUnread && <span class="hidden">unread</span>}
    </button>
  );
}
