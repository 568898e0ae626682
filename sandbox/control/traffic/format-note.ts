import { shapeOf } from "../../discord/limits/route-shape.ts";
import type { LocalDiscord } from "../../discord/server.ts";
import type { GatewayNote, RestNote, TrafficNote } from "../../discord/traffic.ts";
import type { GatewayEvent, RestCall, TrafficEntry } from "../api/traffic.ts";
import { findingsOfEvent, findingsOfRequest } from "./findings.ts";
import { withoutToken } from "./redact.ts";

export function formatNote(discord: LocalDiscord, note: TrafficNote): TrafficEntry {
  return note.kind === "rest" ? formatRequest(discord, note) : formatEvent(discord, note);
}

function formatRequest(discord: LocalDiscord, note: RestNote): RestCall {
  const { id, atMs, record, interactionId, tookMs } = note;
  const { method, query, status, files } = record;
  const path = withoutToken(record.path);
  const search = new URLSearchParams(query).toString();
  return {
    kind: "rest",
    id,
    atMs,
    interactionId: interactionId ?? null,
    method,
    route: shapeOf(method, path).shape.slice(method.length + 1),
    path: search === "" ? path : `${path}?${search}`,
    state: tookMs === undefined ? "open" : status === undefined ? "lost" : "answered",
    status: status ?? null,
    tookMs: tookMs === undefined ? null : Math.round(tookMs * 10) / 10,
    files: files.length,
    findings: findingsOfRequest(discord, note),
  };
}

function formatEvent(discord: LocalDiscord, note: GatewayNote): GatewayEvent {
  const { id, atMs, direction, name, shardId } = note;
  const interactionId = interactionOf(note);
  return {
    kind: "gateway",
    id,
    atMs,
    interactionId,
    direction,
    name,
    shard: shardId ?? null,
    findings: findingsOfEvent(discord, note, interactionId),
  };
}

/** The interaction that an event announces, or that the message in it answers. */
function interactionOf({ name, data }: GatewayNote): string | null {
  // Both sides' payloads: an object, or for some operations a plain value or null.
  const said = data as { id?: string; interaction_metadata?: { id: string } } | null | boolean | number;
  if (typeof said !== "object" || said === null) {
    return null;
  }
  return (name === "INTERACTION_CREATE" ? said.id : said.interaction_metadata?.id) ?? null;
}
