// A channel as plain lines, for assertions and for people.
import { COMPONENT_TYPES } from "./component-types.ts";
import type { Channel, Component, Message } from "./entities.ts";
import type { Platform } from "./platform.ts";
import { isVisibleTo, seeMessage } from "./actors/see.ts";
import type { SeenMessage } from "./actors/member-types.ts";

/** Returns one line per thing that a user sees; without a user, what everyone sees. */
export function formatTranscript(
  platform: Platform,
  channel: Channel,
  userId: string | undefined,
): readonly string[] {
  return [...channel.messages.values()]
    .filter((message) => isVisibleTo(message, userId))
    .flatMap((message) => formatLines(platform, message));
}

function formatLines(platform: Platform, message: Message): string[] {
  const seen = seeMessage(platform, message);
  const notes = [
    seen.because,
    seen.ephemeral ? "only they see this" : undefined,
    seen.editedAtMs === undefined ? undefined : "edited",
  ].filter((note) => note !== undefined);
  const head = `${seen.author.name}${notes.length === 0 ? "" : ` (${notes.join("; ")})`}:`;
  const body = [
    ...(seen.loading ? ["thinking…"] : []),
    ...(seen.content === "" ? [] : seen.content.split("\n")),
    ...seen.components.flatMap((component) => formatComponent(seen, component)),
  ];
  const isV2 = (seen.flags & (1 << 15)) !== 0;
  const loose = isV2 ? [] : seen.attachments.map(({ filename }) => formatFile(seen, filename));
  return [head, ...[...body, ...loose].map((line) => `  ${line}`)];
}

function formatFile(seen: SeenMessage, name: string): string {
  const file = seen.attachments.find(({ filename }) => filename === name);
  return file?.description === undefined ? `[${name}]` : `[${name}: ${file.description}]`;
}

function childrenOf(component: Component, key: string): Component[] {
  const value = component[key];
  // validate/ has made sure that the children of a component are components.
  return (Array.isArray(value) ? value : value === undefined ? [] : [value]) as Component[];
}

function mediaName(value: unknown): string {
  const url = typeof value === "object" && value !== null && "url" in value ? String(value.url) : "";
  return url.replace("attachment://", "");
}

function formatComponent(seen: SeenMessage, component: Component): string[] {
  const below = (key: string) => childrenOf(component, key).flatMap((child) => formatComponent(seen, child));
  switch (component.type) {
    case COMPONENT_TYPES.actionRow:
      return [below("components").join(" ")];
    case COMPONENT_TYPES.button:
      return [formatButton(component)];
    case COMPONENT_TYPES.section:
      return [...below("components"), ...below("accessory")];
    case COMPONENT_TYPES.textDisplay:
      return String(component["content"]).split("\n");
    case COMPONENT_TYPES.thumbnail:
      return [formatFile(seen, mediaName(component["media"]))];
    case COMPONENT_TYPES.mediaGallery:
      return childrenOf(component, "items").map((item) => formatFile(seen, mediaName(item["media"])));
    case COMPONENT_TYPES.file:
      return [formatFile(seen, mediaName(component["file"]))];
    case COMPONENT_TYPES.separator:
      return ["---"];
    case COMPONENT_TYPES.container:
      return below("components");
    default:
      return [`<${String(component["placeholder"] ?? component["custom_id"])} v>`];
  }
}

function formatButton(button: Component): string {
  const emoji = button["emoji"];
  const face = typeof emoji === "object" && emoji !== null && "name" in emoji ? String(emoji.name) : "";
  const label = [face, button["label"]].filter(Boolean).join(" ");
  const url = typeof button["url"] === "string" ? ` -> ${button["url"]}` : "";
  return `[${label}${button["disabled"] === true ? " (disabled)" : ""}${url}]`;
}
