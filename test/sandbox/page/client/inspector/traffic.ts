// Traffic entries for tests.
import type { GatewayEvent, RestCall } from "../../../../../sandbox/control/api/traffic.ts";

export function restCall(id: number, more: Partial<RestCall> = {}): RestCall {
  return {
    kind: "rest",
    id,
    atMs: id,
    interactionId: null,
    method: "POST",
    route: "/channels/:id/messages",
    path: "/channels/12/messages",
    state: "answered",
    status: 200,
    tookMs: 3,
    files: 0,
    findings: [],
    ...more,
  };
}

export function gatewayEvent(id: number, more: Partial<GatewayEvent> = {}): GatewayEvent {
  return {
    kind: "gateway",
    id,
    atMs: id,
    interactionId: null,
    direction: "to-bot",
    name: "INTERACTION_CREATE",
    shard: 0,
    findings: [],
    ...more,
  };
}
