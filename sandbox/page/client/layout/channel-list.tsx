import type { SceneChannel, SceneGuild } from "../../../control/chat/api.ts";
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
  const top = channels.filter(
    ({ parentId }) => parentId === undefined || !channels.some(({ id }) => id === parentId),
  );
  return (
    <nav aria-label={`Channels of ${title}`}>
      <ul>
        {top.map((channel) => {
          const threads = channels.filter(({ parentId }) => parentId === channel.id);
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
      class={`item row ${isUnread ? "unread" : "soft"}`}
      aria-current={id === channelId.value ? "page" : undefined}
      onClick={() => {
        openChannel(id);
        drawer.value = undefined;
      }}
    >
      {other === undefined ? (
        <Icon name={iconOf(channel)} />
      ) : (
        <Avatar name={other.name} isBot={other.bot} size="small" />
      )}
      <span class="clip">{name}</span>
      {isUnread && <span class="hidden">unread</span>}
    </button>
  );
}

interface GuildRailProps {
  readonly guilds: readonly SceneGuild[];
  readonly directs: readonly SceneChannel[];
  /** A guild's id, or `directs`. */
  readonly listed: string;
}

export function GuildRail({ guilds, directs, listed }: GuildRailProps) {
  const places = [
    { id: "directs", name: "Direct messages", sign: "@", channels: directs },
    ...guilds.map((guild) => ({ ...guild, sign: guild.name.replaceAll(/(\S)\S*\s*/g, "$1") })),
  ];
  return (
    <nav class="rail" aria-label="Servers">
      <ul>
        {places.map(({ id, name, sign, channels }) => {
          const isUnread = channels.some((channel) => unread.value.has(channel.id));
          return (
            <li key={id} class={isUnread ? "unread" : ""}>
              <button
                type="button"
                class="rail-button"
                aria-label={isUnread ? `${name}, unread` : name}
                title={name}
                aria-current={listed === id ? "true" : undefined}
                onClick={() => {
                  const [first] = channels;
                  if (first !== undefined) {
                    openChannel(first.id);
                  }
                }}
              >
                <span data-letters={sign} aria-hidden="true" />
              </button>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
