// Whom a message pings: what its words name, cut down to what the sender allows.
import type { MessageForm } from "../validate/message.ts";
import { walkComponents } from "../serialise/message.ts";

export interface Pings {
  readonly userIds: readonly string[];
  readonly everyone: boolean;
}

/** Text displays ping too. Without `allowed_mentions` webhooks ping users only, channel messages all. */
export function findPings(
  form: MessageForm,
  place: "channel" | "webhook",
  repliedUserId: string | undefined,
): Pings {
  const texts = [...walkComponents(form.components ?? [])]
    .filter(({ type }) => type === 10)
    .map((component) => String(component["content"]));
  const text = [form.content ?? "", ...texts].join("\n");
  const named = [...new Set([...text.matchAll(/<@!?(\d+)>/g)].map(([, id = ""]) => id))];
  const allowed = form.allowed_mentions ?? undefined;
  const may = (kind: "users" | "everyone") =>
    allowed === undefined ? place === "channel" || kind === "users" : (allowed.parse ?? []).includes(kind);
  const pinged = may("users") ? named : named.filter((id) => allowed?.users?.includes(id));
  const pingsReplied = allowed === undefined || allowed.replied_user === true;
  return {
    userIds: repliedUserId === undefined || !pingsReplied ? pinged : [...new Set([...pinged, repliedUserId])],
    everyone: may("everyone") && /@(everyone|here)\b/.test(text),
  };
}
