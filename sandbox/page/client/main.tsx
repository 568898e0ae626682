// The sandbox's page, on which a person acts as a member of the local Discord. The sandbox decides what is allowed; the page
// only shows it.
import { render } from "preact";
import { App } from "./layout/app.tsx";
import { start } from "./state/start.ts";
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/frame.css";
import "./styles/chat.css";
import "./styles/message.css";
import "./styles/markdown.css";
import "./styles/controls.css";
import "./styles/composer.css";
import "./styles/inspector.css";

const root = document.getElementById("page");
if (root === null) {
  throw new TypeError("index.html has no #page.");
}
render(<App />, root);
void start();
