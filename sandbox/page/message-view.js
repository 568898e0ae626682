// Draws one message of the transcript.
import { drawAll } from "./components-view.js";
import { element } from "./dom.js";
import { drawMarkdown } from "./markdown-view.js";
import { drawAttachment } from "./media-view.js";
import { formatTimestamp } from "./timestamp.js";

/**
 * A message as one member sees it; the shape is SeenMessage of ../discord/actors/acts.ts.
 * @typedef {{ id: string, channelId: string, author: { id: string, name: string, bot: boolean }, content: string,
 *   flags: number, components: readonly import("./components-view.js").Component[],
 *   attachments: readonly import("./media-view.js").Attachment[], ephemeral: boolean, loading: boolean,
 *   createdAtMs: number, editedAtMs?: number, repliesTo?: string, because?: string }} Message
 * @typedef {{ around: import("./markdown-view.js").Surroundings,
 *   menuEntries: () => readonly string[],
 *   onPress: (message: Message, customId: string) => Promise<void>,
 *   onChoose: (message: Message, customId: string, values: string[]) => Promise<void>,
 *   onMenu: (message: Message, entry: string) => Promise<void>,
 *   onDismiss: (message: Message) => Promise<void> }} MessageActions
 */

/** With this flag attachments show only where a component names them. */
const COMPONENTS_V2 = 1 << 15;

/**
 * @param {Message} message
 * @param {MessageActions} actions
 */
export function drawMessage(message, actions) {
  const { author } = message;
  const { around } = actions;
  const scene = {
    around,
    attachments: message.attachments,
    onPress: (/** @type {string} */ customId) => actions.onPress(message, customId),
    onChoose: (/** @type {string} */ customId, /** @type {string[]} */ values) =>
      actions.onChoose(message, customId, values),
  };
  const loose = (message.flags & COMPONENTS_V2) === 0 ? message.attachments : [];
  return element(
    "article",
    { class: message.ephemeral ? "message private" : "message", "aria-label": `Message from ${author.name}` },
    drawAvatar(author),
    element(
      "div",
      { class: "body" },
      message.because === undefined ? undefined : element("p", { class: "because" }, message.because),
      drawHeader(message, around.nowMs()),
      message.loading
        ? element("p", { class: "thinking" }, `${author.name} is thinking`, drawDots())
        : undefined,
      message.content === "" ? undefined : drawMarkdown(message.content, around),
      ...drawAll(message.components, scene),
      ...loose.map(drawAttachment),
      drawFooter(message, actions),
    ),
  );
}

/** @param {Message["author"]} author */
function drawAvatar(author) {
  const avatar = element("span", { class: "avatar", "aria-hidden": "true" }, author.name.slice(0, 1));
  avatar.style.setProperty("--hue", author.bot ? "28" : String(Number(BigInt(author.id) % 360n)));
  return avatar;
}

/**
 * @param {Message} message
 * @param {number} nowMs
 */
function drawHeader({ author, createdAtMs, editedAtMs }, nowMs) {
  return element(
    "header",
    {},
    element("strong", { class: "author" }, author.name),
    author.bot ? element("span", { class: "tag" }, "BOT") : undefined,
    element(
      "time",
      { class: "subtext", datetime: new Date(createdAtMs).toISOString() },
      formatTimestamp(createdAtMs / 1000, nowMs - createdAtMs > 86_400_000 ? "s" : "t", nowMs),
    ),
    editedAtMs === undefined ? undefined : element("span", { class: "subtext" }, "(edited)"),
  );
}

/**
 * @param {Message} message
 * @param {MessageActions} actions
 */
function drawFooter(message, actions) {
  if (message.ephemeral) {
    const dismiss = press("Dismiss message", () => actions.onDismiss(message));
    return element("footer", { class: "subtext" }, "Only you can see this · ", dismiss);
  }
  const entries = message.loading ? [] : actions.menuEntries();
  return entries.length === 0
    ? undefined
    : element(
        "footer",
        { class: "subtext menu" },
        ...entries.map((entry) => press(entry, () => actions.onMenu(message, entry))),
      );
}

/**
 * @param {string} label
 * @param {() => Promise<void>} work
 */
function press(label, work) {
  return element("button", { type: "button", class: "plain", onclick: () => void work() }, label);
}

function drawDots() {
  return element("span", { class: "dots", "aria-hidden": "true" }, "…");
}
