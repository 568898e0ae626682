// Somebody's card: who they are here, and what can be done with them.
import { COMMAND_KINDS } from "../command/runnables.ts";
import { focusPlace, text, TEXT } from "../composer/draft-state.ts";
import { Avatar, colourOf } from "../kit/avatar.tsx";
import { useFocusReturn } from "../kit/focus.ts";
import { Icon } from "../kit/icon.tsx";
import { Popover } from "../kit/popover.tsx";
import { runCommand, wordsOf } from "../state/acts.ts";
import { openedCard } from "../state/layers.ts";
import { lookOf, tintOf, type Look } from "../state/people.ts";
import { commands, personOf, scene } from "../state/scene.ts";
import { openChannel, switchMember } from "../state/session.ts";
import { tell } from "../state/toast.ts";

const close = () => {
  openedCard.value = undefined;
};

/** Does it, and closes the card. */
const doing = (work: () => void) => () => {
  close();
  work();
};

export function PersonCard() {
  const opened = openedCard.value;
  return opened === undefined ? null : (
    <Popover key={opened.userId} class="card" spot={() => opened.at} onClose={close}>
      <Card look={lookOf(opened.userId)} />
    </Popover>
  );
}

function Card({ look }: { readonly look: Look }) {
  const { id, name, isBot, isOwner, roles } = look;
  useFocusReturn();
  return (
    <div role="dialog" aria-label={name} tabIndex={-1} autofocus>
      <div class={`card-banner ${colourOf(id)}`} />
      <Avatar id={id} name={name} isBot={isBot} size="large" />
      <h3>
        {name} {isBot && <span class="app-tag">App</span>}
      </h3>
      <p class="subtext">{personOf(id)?.username}</p>
      <ul class="card-roles" aria-label="Roles">
        {isOwner && (
          <li>
            <Icon name="crown" class="crown" /> Owner
          </li>
        )}
        {roles.map((role) => (
          <li key={role.id}>
            <span class={`role-dot ${tintOf(role)}`} aria-hidden="true" />
            {role.name}
          </li>
        ))}
      </ul>
      <div class="card-actions">
        <CardActions look={look} />
      </div>
    </div>
  );
}

function CardActions({ look: { id, name, isBot } }: { readonly look: Look }) {
  const { me, directs = [] } = scene.value ?? {};
  const direct = directs.find(({ recipientIds }) => recipientIds.length === 1 && recipientIds[0] === id);
  const entries = commands.value.filter(({ kind }) => kind === COMMAND_KINDS.user);
  return (
    <>
      {!isBot && id !== me?.id && (
        <button type="button" class="button primary" onClick={doing(() => switchMember(name))}>
          Play {name}
        </button>
      )}
      <button
        type="button"
        class="button secondary"
        onClick={doing(() => {
          text.value = `${text.value}@${name} `;
          focusPlace(TEXT);
        })}
      >
        Mention
      </button>
      {direct !== undefined && (
        <button type="button" class="button secondary" onClick={doing(() => openChannel(direct.id))}>
          Message
        </button>
      )}
      {entries.map((entry) => (
        <button
          key={entry.id}
          type="button"
          class="button secondary"
          onClick={doing(() => {
            void runCommand(entry.name, { do: "user-menu", userId: id, entry: entry.name }).catch(
              (error: unknown) => tell(wordsOf(error), "alarm"),
            );
          })}
        >
          <Icon name="spark" /> {entry.name}
        </button>
      ))}
    </>
  );
}
