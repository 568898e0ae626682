// One socket: HELLO, IDENTIFY or RESUME, heartbeats, and closing with Discord's codes.
import { createHash } from "node:crypto";
import type { WebSocket } from "ws";
import type { Platform } from "../platform.ts";
import { formatGuildCreate, formatUser } from "../serialise/people.ts";
import { shardOf } from "../snowflake.ts";
import { userOf } from "../state.ts";
import { INTENTS, KNOWN_INTENTS, PRIVILEGED_INTENTS } from "./intents.ts";
import { CLOSE, frame, identify, OP, resume } from "./payloads.ts";
import { createSession, type Session, type Shard } from "./session.ts";

/** Bytes of one client payload. */
const MAX_PAYLOAD_BYTES = 4096;
/** Client payloads in a minute of real time: sockets are paced by the machine, not by the turned clock. */
const MAX_SENDS_PER_MINUTE = 120;
const MAX_GUILDS_PER_SHARD = 2500;
/** How long a session without a socket can be resumed, on the sandbox's clock. */
const SESSION_LIFE_MS = 3 * 60_000;

/** Serves one socket until it closes. `sessions` are shared by all sockets. */
export function serveConnection(platform: Platform, sessions: Map<string, Session>, socket: WebSocket): void {
  let session: Session | undefined;
  let sentAtMs: number[] = [];

  const say = (op: number, d: unknown) => socket.send(JSON.stringify({ t: null, s: null, op, d }));
  say(OP.hello, { heartbeat_interval: platform.settings.heartbeatIntervalMs, _trace: [] });

  socket.on("message", (data: Buffer) => {
    const nowMs = performance.now();
    sentAtMs = sentAtMs.filter((atMs) => atMs > nowMs - 60_000);
    sentAtMs.push(nowMs);
    if (sentAtMs.length > MAX_SENDS_PER_MINUTE) {
      socket.close(CLOSE.rateLimited, "Rate limited.");
      return;
    }
    const parsed = data.length > MAX_PAYLOAD_BYTES ? undefined : parseFrame(data);
    if (parsed === undefined) {
      socket.close(CLOSE.decodeError, "Error while decoding payload.");
      return;
    }
    receive(parsed.op, parsed.d);
  });

  socket.on("close", (code: number) => {
    session?.detach(socket);
    if (session !== undefined && !session.isConnected) {
      session.lostAtMs = platform.clock.now();
      if (code === 1000 || code === 1001) {
        sessions.delete(session.id);
      }
    }
  });

  function receive(op: number, d: unknown): void {
    switch (op) {
      case OP.heartbeat:
        if (typeof d === "number") {
          session?.confirm(d);
        }
        say(OP.heartbeatAck, null);
        return;
      case OP.identify:
        if (session === undefined) {
          begin(d);
        } else {
          socket.close(CLOSE.alreadyAuthenticated, "Already authenticated.");
        }
        return;
      case OP.resume:
        takeUp(d);
        return;
      case OP.presenceUpdate:
      case OP.voiceStateUpdate:
      case OP.requestGuildMembers:
        if (session === undefined) {
          socket.close(CLOSE.notAuthenticated, "Not authenticated.");
        }
        return;
      default:
        socket.close(CLOSE.unknownOperation, "Unknown opcode.");
    }
  }

  function begin(d: unknown): void {
    const form = identify.safeParse(d);
    if (!form.success) {
      socket.close(CLOSE.decodeError, "Error while decoding payload.");
      return;
    }
    const { token, intents } = form.data;
    const [id, count] = form.data.shard ?? [0, 1];
    const refusal = refuseIdentify(platform, token, intents, { id, count });
    if (refusal !== undefined) {
      socket.close(...refusal);
      return;
    }
    platform.state.identifiedAtMs.push(platform.clock.now());
    const order = platform.state.identifiedAtMs.length;
    const sessionId = createHash("md5").update(`${platform.secret}:${order}`).digest("hex");
    session = createSession(socket, { id: sessionId, shard: { id, count }, intents });
    sessions.set(sessionId, session);
    greet(platform, session);
  }

  function takeUp(d: unknown): void {
    const form = resume.safeParse(d);
    if (!form.success) {
      socket.close(CLOSE.decodeError, "Error while decoding payload.");
      return;
    }
    if (form.data.token !== platform.state.application.token) {
      socket.close(CLOSE.authenticationFailed, "Authentication failed.");
      return;
    }
    const known = sessions.get(form.data.session_id);
    const isDead = known?.lostAtMs !== undefined && platform.clock.now() - known.lostAtMs > SESSION_LIFE_MS;
    if (known === undefined || isDead) {
      sessions.delete(form.data.session_id);
      say(OP.invalidSession, false);
      return;
    }
    if (form.data.seq > known.sequence) {
      socket.close(CLOSE.invalidSequence, "Invalid seq.");
      return;
    }
    if (!known.resume(socket, form.data.seq)) {
      sessions.delete(known.id);
      say(OP.invalidSession, false);
      return;
    }
    session = known;
    session.lostAtMs = undefined;
    session.dispatch("RESUMED", { _trace: [] });
  }
}

function parseFrame(data: Buffer): { readonly op: number; readonly d?: unknown } | undefined {
  try {
    return frame.parse(JSON.parse(data.toString("utf8")));
  } catch {
    return undefined;
  }
}

function refuseIdentify(
  platform: Platform,
  token: string,
  intents: number,
  shard: Shard,
): [code: number, reason: string] | undefined {
  const { application, guilds } = platform.state;
  if (token !== application.token) {
    return [CLOSE.authenticationFailed, "Authentication failed."];
  }
  if (shard.count < 1 || shard.id < 0 || shard.id >= shard.count) {
    return [CLOSE.invalidShard, "Invalid shard."];
  }
  if (guilds.size > MAX_GUILDS_PER_SHARD * shard.count) {
    return [CLOSE.shardingRequired, "Sharding required."];
  }
  if (intents < 0 || (intents & ~KNOWN_INTENTS) !== 0) {
    return [CLOSE.invalidIntents, "Invalid intent(s)."];
  }
  if ((intents & PRIVILEGED_INTENTS & ~application.privilegedIntents) !== 0) {
    return [CLOSE.disallowedIntents, "Disallowed intent(s)."];
  }
  return undefined;
}

/** READY, then the guilds of the shard one by one. */
function greet(platform: Platform, session: Session): void {
  const { state } = platform;
  const { application } = state;
  const guilds = [...state.guilds.values()].filter(
    (guild) =>
      guild.members.has(application.id) && shardOf(guild.id, session.shard.count) === session.shard.id,
  );
  session.dispatch("READY", {
    v: 10,
    user: { ...formatUser(userOf(state, application.id)), verified: true, mfa_enabled: true, email: null },
    guilds: guilds.map(({ id }) => ({ id, unavailable: true })),
    session_id: session.id,
    session_type: "normal",
    resume_gateway_url: `${platform.baseUrl.replace("http", "ws")}/gateway`,
    application: { id: application.id, flags: 0 },
    shard: [session.shard.id, session.shard.count],
    private_channels: [],
    relationships: [],
    _trace: [],
  });
  if ((session.intents & INTENTS.guilds) !== 0) {
    for (const guild of guilds) {
      session.dispatch("GUILD_CREATE", formatGuildCreate(platform, guild));
    }
  }
}
