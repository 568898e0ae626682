// One socket: HELLO, IDENTIFY or RESUME, heartbeats, and closing with Discord's codes.
import type { WebSocket } from "ws";
import type { Platform } from "../platform.ts";
import type { GatewayPayload } from "../traffic.ts";
import type { GatewayFaults } from "./faults.ts";
import { greet } from "./publish.ts";
import { findIdentifyRefusal, type createIdentifyLimiter } from "./identify.ts";
import { CLOSE, identifyForm, nameOf, OP, parseFrame, resumeForm } from "./payloads.ts";
import { createWire, type Session, type Sessions } from "./session.ts";

export interface GatewayParts {
  readonly platform: Platform;
  readonly sessions: Sessions;
  readonly faults: GatewayFaults;
  readonly identifyLimiter: ReturnType<typeof createIdentifyLimiter>;
  /** Changes the token and ends all sessions, as Discord does if a bot has identified too often. */
  readonly resetToken: () => void;
  readonly onPayload: (payload: GatewayPayload) => void;
}

const MAX_PAYLOAD_BYTES = 4096;
/** Client payloads per minute of real time: clients send by the machine's clock, not by the sandbox's. */
const MAX_SENDS_PER_MINUTE = 120;

export function serveConnection(parts: GatewayParts, socket: WebSocket): void {
  const { platform, sessions, faults, identifyLimiter, onPayload } = parts;
  const { heartbeatIntervalMs, heartbeatGraceMs } = platform.settings;
  const wire = createWire(socket);
  let session: Session | undefined;
  let sentAtMs: number[] = [];

  const record = (
    direction: GatewayPayload["direction"],
    name: string,
    data: unknown,
    fault?: GatewayPayload["fault"],
  ) => onPayload({ direction, name, shardId: session?.shard.id, data, fault, isKept: false });
  const send = (op: number, d: unknown) => wire.send(JSON.stringify({ t: null, s: null, op, d }));
  const sendAndRecord = (op: number, d: unknown) => {
    send(op, d);
    record("to-bot", nameOf(op), d);
  };
  const close = ([code, reason]: readonly [code: number, reason: string]) => wire.end("rule", code, reason);
  /** False before IDENTIFY and after the session was invalidated. */
  const isIdentified = () => session !== undefined && sessions.has(session) && session.usesWire(wire);
  const silence = setTimeout(() => close(CLOSE.timedOut), heartbeatIntervalMs + heartbeatGraceMs);

  const hello = { heartbeat_interval: heartbeatIntervalMs, _trace: [] };
  record(
    "to-bot",
    "HELLO",
    hello,
    faults.pass("HELLO", () => send(OP.hello, hello)),
  );

  socket.on("message", (data: Buffer) => {
    const nowMs = performance.now();
    sentAtMs = sentAtMs.filter((atMs) => atMs > nowMs - 60_000);
    sentAtMs.push(nowMs);
    if (sentAtMs.length > MAX_SENDS_PER_MINUTE) {
      close(CLOSE.rateLimited);
      return;
    }
    const parsed = data.length > MAX_PAYLOAD_BYTES ? undefined : parseFrame(data);
    if (parsed === undefined) {
      close(CLOSE.decodeError);
      return;
    }
    receive(parsed.op, parsed.d);
  });

  socket.on("close", (code: number, reason: Buffer) => {
    clearTimeout(silence);
    const { endedBy } = wire;
    record(
      endedBy === undefined ? "from-bot" : "to-bot",
      `CLOSE ${code}`,
      { code, reason: reason.toString("utf8") },
      endedBy === "demand" ? "on-demand" : undefined,
    );
    if (session === undefined) {
      return;
    }
    session.detach(wire);
    if (session.isConnected || !sessions.has(session)) {
      return;
    }
    if (code === 1000 || code === 1001) {
      sessions.end(session);
    } else {
      sessions.startExpiry(session);
    }
  });

  function receive(op: number, d: unknown): void {
    if (op !== OP.heartbeat) {
      record("from-bot", nameOf(op), d);
    }
    switch (op) {
      case OP.heartbeat:
        silence.refresh();
        if (typeof d === "number") {
          session?.confirm(d);
        }
        faults.pass("HEARTBEAT_ACK", () => send(OP.heartbeatAck, null));
        return;
      case OP.identify:
      case OP.resume:
        if (isIdentified()) {
          close(CLOSE.alreadyAuthenticated);
        } else if (op === OP.identify) {
          identify(d);
        } else {
          resume(d);
        }
        return;
      case OP.presenceUpdate:
      case OP.voiceStateUpdate:
        if (!isIdentified()) {
          close(CLOSE.notAuthenticated);
        }
        return;
      default:
        close(CLOSE.unknownOperation);
    }
  }

  function identify(d: unknown): void {
    const form = identifyForm.safeParse(d);
    if (!form.success) {
      close(CLOSE.decodeError);
      return;
    }
    const { token, intents } = form.data;
    const [id, count] = form.data.shard ?? [0, 1];
    const refusal = findIdentifyRefusal(platform, token, intents, { id, count });
    if (refusal !== undefined) {
      close(refusal);
      return;
    }
    switch (identifyLimiter.take(id)) {
      case "too-fast":
        sendAndRecord(OP.invalidSession, false);
        return;
      case "used-up":
        close(CLOSE.authenticationFailed);
        parts.resetToken();
        return;
      case "fine":
        session = sessions.begin(wire, { id, count }, intents);
        greet(platform, session);
    }
  }

  function resume(d: unknown): void {
    const form = resumeForm.safeParse(d);
    if (!form.success) {
      close(CLOSE.decodeError);
      return;
    }
    if (form.data.token !== platform.state.application.token) {
      close(CLOSE.authenticationFailed);
      return;
    }
    const known = sessions.all.get(form.data.session_id);
    if (known !== undefined && form.data.seq > known.sequence) {
      close(CLOSE.invalidSequence);
      return;
    }
    if (known === undefined || !sessions.resume(known, wire, form.data.seq)) {
      if (known !== undefined) {
        sessions.end(known);
      }
      sendAndRecord(OP.invalidSession, false);
      return;
    }
    session = known;
    session.dispatch("RESUMED", { _trace: [] });
  }
}
