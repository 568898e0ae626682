// Who is in the guild, by their highest role.
import { Avatar } from "../kit/avatar.tsx";
import { Icon } from "../kit/icon.tsx";
import { spotOf } from "../kit/spot-of.ts";
import { botState } from "../state/bot.ts";
import { openedCard } from "../state/layers.ts";
import { lookOf, type Look } from "../state/people.ts";
import { openedGuild } from "../state/scene.ts";

export function MemberList() {
  const guild = openedGuild.value;
  if (guild === undefined) {
    return null;
  }
  const looks = guild.members.map(({ userId }) => lookOf(userId));
  const groups = [
    ...guild.roles.map((role) => ({
      title: role.name,
      looks: looks.filter(({ roles }) => roles[0]?.id === role.id),
    })),
    { title: "Members", looks: looks.filter(({ roles }) => roles.length === 0) },
  ].filter((group) => group.looks.length > 0);
  return (
    <aside class="members" aria-label="Members">
      {groups.map((group) => (
        <section key={group.title}>
          <h3>
            {group.title} — {group.looks.length}
          </h3>
          <ul>
            {group.looks.map((look) => (
              <li key={look.id}>
                <MemberButton look={look} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </aside>
  );
}

function MemberButton({ look }: { readonly look: Look }) {
  const { id, name, isBot, isOwner, tint } = look;
  const isAway = isBot && botState.value !== "ready" && botState.value !== "none";
  return (
    <button
      type="button"
      class={`member ${isAway ? "asleep" : ""}`}
      aria-haspopup="dialog"
      onClick={(event) => {
        openedCard.value = { userId: id, at: spotOf(event.currentTarget) };
      }}
    >
      <span class={`presence ${isAway ? "away" : "here"}`}>
        <Avatar id={id} name={name} isBot={isBot} size="small" />
      </span>
      <span class={`member-name ${tint}`}>{name}</span>
      {isBot && <span class="app-tag">App</span>}
      {isOwner && <Icon name="crown" class="crown" />}
      {isOwner && <span class="hidden">owner</span>}
      {isAway && <span class="rank">{botState.value}</span>}
    </button>
  );
}
