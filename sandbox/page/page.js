// The sandbox's page: plays a member of the local Discord. What is allowed, the sandbox decides; this only shows.
import { act, complete, fetchView, listen } from "./api.js";
import { listRunnables } from "./command-line.js";
import { createComposer } from "./composer.js";
import { byId } from "./dom.js";
import { drawMarkdown } from "./markdown-view.js";
import { askModal } from "./modal-view.js";
import { drawChannels, drawMembers } from "./places-view.js";
import { formatTimestamp } from "./timestamp.js";
import { createTranscript } from "./transcript.js";

/** @typedef {import("./api.js").View} View */

/** Slash commands and message menus, by Discord's numbers. */
const SLASH = 1;
const MESSAGE_MENU = 3;

/** @type {View | undefined} */
let view;
let memberName = new URLSearchParams(location.search).get("member") ?? "Ada";
let channelId = "";
/** What to add to the machine's clock to have the sandbox's. */
let offsetMs = 0;
let isLost = false;

const nowMs = () => Date.now() + offsetMs;

/** @type {import("./markdown-view.js").Surroundings} */
const around = {
  nowMs,
  userName: (id) => view?.users.find((user) => user.id === id)?.name,
  channelName: (id) => view?.channels.find((channel) => channel.id === id)?.name,
  onCommand: (name) => composer.start(name),
};

const runnables = () => listRunnables((view?.commands ?? []).filter(({ kind }) => kind === SLASH));

/** @param {import("./api.js").Act} what */
async function perform(what) {
  const answer = await act(memberName, channelId, what);
  if (answer.modal !== undefined) {
    const fields = await askModal(answer.modal, around, drawMarkdown);
    if (fields !== undefined) {
      await perform({ do: "submit", interactionId: answer.interactionId, fields });
    }
  }
  await refresh();
}

/** Acts that begin in the transcript tell of their failure under the box. @param {import("./api.js").Act} what */
async function tryPerform(what) {
  composer.tell("");
  try {
    await perform(what);
  } catch (error) {
    composer.tell(error instanceof Error ? error.message : String(error));
  }
}

const log = byId("log", HTMLElement);
const transcript = createTranscript(log, {
  around,
  menuEntries: () =>
    (view?.commands ?? []).filter(({ kind }) => kind === MESSAGE_MENU).map(({ name }) => name),
  onPress: ({ id }, customId) => tryPerform({ do: "click", messageId: id, button: customId }),
  onChoose: ({ id }, customId, values) => tryPerform({ do: "select", messageId: id, menu: customId, values }),
  onMenu: ({ id }, entry) => tryPerform({ do: "menu", messageId: id, entry }),
  onDismiss: ({ id }) => tryPerform({ do: "dismiss", messageId: id }),
});

const composer = createComposer({
  input: byId("box", HTMLInputElement),
  list: byId("offers", HTMLElement),
  fileInput: byId("files", HTMLInputElement),
  attach: byId("attach", HTMLElement),
  chips: byId("chips", HTMLElement),
  problem: byId("problem", HTMLElement),
  runnables,
  onComplete: (command, options, focused) => complete(memberName, channelId, { command, options, focused }),
  onCommand: (command, options) => perform({ do: "slash", command, options }),
  onSay: (text, files) => perform({ do: "say", text, files }),
});

let isFetching = false;
let isStale = false;

/** Fetches what the member sees and draws it; while one fetch runs, the next waits and serves all who asked. */
async function refresh() {
  if (isFetching) {
    isStale = true;
    return;
  }
  isFetching = true;
  try {
    do {
      isStale = false;
      draw(await fetchView(memberName, channelId));
    } while (isStale);
  } finally {
    isFetching = false;
  }
}

/** @param {View} next */
function draw(next) {
  view = next;
  offsetMs = next.clock.nowMs - Date.now();
  if (channelId !== next.channel.id) {
    transcript.clear();
  }
  channelId = next.channel.id;
  const title = next.channel.kind === 1 ? next.channel.name : `# ${next.channel.name}`;
  byId("guild", HTMLElement).textContent = next.guild;
  byId("channel", HTMLElement).textContent = title;
  byId("box", HTMLInputElement).placeholder = `Message ${title.replace("# ", "#")}, or / for commands`;
  drawMembers(byId("members", HTMLSelectElement), next.members, memberName, switchMember);
  drawChannels(byId("channels", HTMLElement), next.channels, channelId, openChannel);
  byId("player", HTMLElement).textContent = memberName;
  transcript.show(next.messages);
  byId("empty", HTMLElement).hidden = next.messages.length > 0;
  tick();
}

/** @param {string} id */
function openChannel(id) {
  channelId = id;
  transcript.clear();
  composer.tell("");
  void refresh().catch(tellLost);
}

/** @param {string} name */
function switchMember(name) {
  memberName = name;
  history.replaceState(null, "", `?member=${encodeURIComponent(name)}`);
  transcript.clear();
  composer.tell("");
  void refresh().catch(tellLost);
}

function tick() {
  const clock = byId("clock", HTMLElement);
  clock.textContent = formatTimestamp(nowMs() / 1000, "F", nowMs(), "Europe/London");
  transcript.tick(nowMs());
}

byId("example", HTMLElement).addEventListener("click", () => composer.start("departures"));
setInterval(tick, 1000);
listen(() => void refresh().then(tellFound, tellLost), tellLost);

function tellLost() {
  isLost = true;
  composer.tell("The sandbox does not answer. Is `npm run sandbox` running? This page goes on by itself.");
}

function tellFound() {
  if (isLost) {
    isLost = false;
    composer.tell("");
  }
}

try {
  await refresh();
} catch (error) {
  composer.tell(error instanceof Error ? error.message : String(error));
}
byId("box", HTMLInputElement).focus();
