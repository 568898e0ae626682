// The sandbox's page: plays a member of the local Discord. What is allowed, the sandbox decides; this only shows.
import { render } from "preact";
import { draft, focusPlace, MORE, TEXT } from "./composer/draft-state.ts";
import { App } from "./layout/app.tsx";
import { start } from "./state/start.ts";
import "./styles/page.css";

const root = document.getElementById("page");
if (root === null) {
  throw new TypeError("index.html has no #page.");
}
render(<App />, root);
document.addEventListener("keydown", typeAnywhere);
void start();

/** Whoever begins to type while nothing takes it means the box. The letter itself then goes where the focus is. */
function typeAnywhere(event: KeyboardEvent): void {
  const { key, target, ctrlKey, metaKey, altKey } = event;
  const isLetter = key.length === 1 && key !== " " && !ctrlKey && !metaKey && !altKey;
  // Fields take letters, and menus and tabs walk by them.
  const isTaken =
    target instanceof Element &&
    target.closest("input, textarea, select, dialog, [popover], [role=tablist], [role=tabpanel]") !== null;
  if (isLetter && !isTaken && !event.defaultPrevented) {
    focusPlace(draft.value === undefined ? TEXT : MORE);
  }
}
