// The chat's questions and acts, typed.
import type {
  Act,
  ActAnswer,
  ChatMessage,
  OfferedCommand,
  Scene,
  SentFile,
} from "../../../control/chat/api.ts";
import { ask, send } from "./request.ts";

/** Who looks, and at which channel. */
export interface Place {
  readonly member: string;
  readonly channel: string;
}

export function fetchScene(member: string): Promise<Scene> {
  return ask("chat/scene", { member });
}

export function fetchCommands({ member, channel }: Place): Promise<readonly OfferedCommand[]> {
  return ask("chat/commands", { member, channel });
}

export function fetchMessages({ member, channel }: Place): Promise<readonly ChatMessage[]> {
  return ask("chat/messages", { member, channel });
}

/** Settles when the bot has acknowledged. Throws ApiError. */
export async function sendAct(place: Place, act: Act<File>): Promise<ActAnswer> {
  const packed = await packFiles(act);
  return send("act", { ...place, ...(typeof packed === "object" ? packed : {}) });
}

/** Files travel as base64 within the JSON, wherever they stand in it. */
async function packFiles(value: unknown): Promise<unknown> {
  if (value instanceof File) {
    return { name: value.name, base64: await base64Of(value) } satisfies SentFile;
  }
  if (Array.isArray(value)) {
    return Promise.all(value.map(packFiles));
  }
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value).map(async ([key, one]) => [key, await packFiles(one)] as const);
    return Object.fromEntries(await Promise.all(entries));
  }
  return value;
}

function base64Of(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => resolve(base64In(reader.result)));
    reader.addEventListener("error", () => reject(new Error(`${file.name} can't be read.`)));
    reader.readAsDataURL(file);
  });
}

/** What follows the comma of a `data:` address. */
function base64In(address: FileReader["result"]): string {
  return typeof address === "string" ? address.slice(address.indexOf(",") + 1) : "";
}
