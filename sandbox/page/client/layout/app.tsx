// The page as a whole.
import { ChatPane } from "../chat/chat-pane.tsx";
import { InspectorDock } from "../inspector/dock.tsx";
import { MenuLayer } from "../kit/menu-layer.tsx";
import { DeleteDialog } from "../message/delete-dialog.tsx";
import { Lightbox } from "../message/lightbox.tsx";
import { ModalLayer } from "../modal/modal-layer.tsx";
import { drawer } from "../state/layers.ts";
import { hasAskedForCommands, openedGuild, scene } from "../state/scene.ts";
import { memberList } from "../state/settings.ts";
import { ConnectionBar } from "./connection-bar.tsx";
import { Drawer } from "./drawer.tsx";
import { MemberList } from "./member-list.tsx";
import { PersonCard } from "./person-card.tsx";
import { Places } from "./places.tsx";
import { ToastLayer } from "./toast-layer.tsx";

export function App() {
  if (scene.value === undefined || !hasAskedForCommands.value) {
    return <p class="waiting soft">Opening the sandbox…</p>;
  }
  const hasPeople = openedGuild.value !== undefined;
  return (
    <>
      <div class={`frame ${drawer.value === undefined ? "" : `drawer-${drawer.value}`}`}>
        <Drawer side="places">
          <Places />
        </Drawer>
        <ChatPane />
        {hasPeople && (
          <Drawer side="people" isShown={memberList.value === "shown"}>
            <MemberList />
          </Drawer>
        )}
        <InspectorDock />
      </div>
      <ConnectionBar />
      <ToastLayer />
      <MenuLayer />
      <PersonCard />
      <Lightbox />
      <ModalLayer />
      <DeleteDialog />
    </>
  );
}
