import { ChatPane } from "../chat/chat-pane.tsx";
import { InspectorDock } from "../inspector/dock.tsx";
import { MenuLayer } from "../kit/menu-layer.tsx";
import { Lightbox } from "../message/picture.tsx";
import { ModalLayer } from "../modal/modal-layer.tsx";
import { hasAskedForCommands, openedGuild, scene } from "../state/scene.ts";
import { Drawer } from "./drawer.tsx";
import { MemberList } from "./member-list.tsx";
import { isDisconnected } from "../state/live.ts";
import { ChannelList, GuildRail } from "./channel-list.tsx";
import { toast } from "../state/toast.ts";
import { Avatar } from "../kit/avatar.tsx";
import { rankOf } from "../state/people.ts";
import { switchMember } from "../state/session.ts";

export function App() {
  return (
    <>
      {scene.value !== undefined && hasAskedForCommands.value ? (
        <Frame />
      ) : (
        <p class="waiting soft">Opening the sandbox…</p>
      )}
      <ConnectionBar />
      <ToastLayer />
      <MenuLayer />
      <Lightbox />
      <ModalLayer />
    </>
  );
}

function Frame() {
  return (
    <div class="frame">
      <Drawer side="places">
        <Places />
      </Drawer>
      <ChatPane />
      {openedGuild.value !== undefined && (
        <Drawer side="people">
          <MemberList />
        </Drawer>
      )}
      <InspectorDock />
    </div>
  );
}

function ConnectionBar() {
  return isDisconnected.value ? (
    <p class="connection-bar danger" role="alert">
      The sandbox isn’t answering. Is <code>npm run sandbox</code> running? This page will reconnect
      automatically.
    </p>
  ) : null;
}

/** The left column: guilds, channels, and the choice of the member to play. */
function Places() {
  const { guilds = [], directs = [] } = scene.value ?? {};
  const guild = openedGuild.value;
  return (
    <div class="places">
      <GuildRail guilds={guilds} directs={directs} listed={guild?.id ?? "directs"} />
      <div class="places-main">
        <h2 class="head row">{guild?.name ?? "Direct messages"}</h2>
        <ChannelList title={guild?.name ?? "Direct messages"} channels={guild?.channels ?? directs} />
        <MemberSwitcher />
      </div>
    </div>
  );
}

function ToastLayer() {
  const shown = toast.value;
  return (
    <div role="status" aria-live="polite">
      {shown !== undefined && <p class={`toast ${shown.tone}`}>{shown.text}</p>}
    </div>
  );
}

function MemberSwitcher() {
  const { me, people = [] } = scene.value ?? {};
  return (
    <div class="switcher row">
      {me !== undefined && <Avatar name={me.name} isBot={false} />}
      <select
        class="rest"
        aria-label="The member you play"
        value={me?.name}
        onChange={({ currentTarget }) => switchMember(currentTarget.value)}
      >
        {people
          .filter(({ bot }) => !bot)
          .map(({ id, name }) => (
            <option key={id} value={name}>
              {name} · {rankOf(id)}
            </option>
          ))}
      </select>
    </div>
  );
}
