// The sandbox's page: plays a member of the local Discord. What is allowed, the sandbox decides; this only shows.
import { render } from "preact";
import { typeAnywhere } from "./composer/type-anywhere.ts";
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
