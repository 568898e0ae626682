// What the bot and the local Discord said to each other.

/** Something that a rule of the local Discord found. */
export interface Finding {
  /** `error`: refused, lost or left unanswered. `note`: worth knowing, e.g. what was injected, or a message not sent twice. */
  readonly severity: "error" | "note";
  /** Discord's number or word, e.g. `50035`, `BASE_TYPE_REQUIRED`, `429`; or the sandbox's own: `injected`, `double`… */
  readonly code: string;
  readonly message: string;
  /** Where in the body, e.g. `components.0.content`. */
  readonly place: string | null;
}

interface TrafficBase {
  /** Grows with each; a later state of the same entry has the same. */
  readonly id: number;
  readonly atMs: number;
  /** The interaction that it belongs to. */
  readonly interactionId: string | null;
  readonly findings: readonly Finding[];
}

/** A call of the bot to the REST API. */
export interface RestCall extends TrafficBase {
  readonly kind: "rest";
  readonly method: string;
  /** With ids replaced, e.g. `/channels/:id/messages/:id`. */
  readonly route: string;
  /** With its ids and query, without tokens. */
  readonly path: string;
  readonly state: "open" | "answered" | "lost";
  /** What the bot saw; null while open and where the answer was lost. */
  readonly status: number | null;
  /** Null while open. */
  readonly tookMs: number | null;
  readonly files: number;
}

/** Something said over the gateway. */
export interface GatewayEvent extends TrafficBase {
  readonly kind: "gateway";
  readonly direction: "to-bot" | "from-bot";
  /** An event's name, e.g. `INTERACTION_CREATE`; else the operation's: `HELLO`, `IDENTIFY`, `HEARTBEAT`, `CLOSE 4004`… */
  readonly name: string;
  /** Null before the bot has said which it is. */
  readonly shard: number | null;
}

export type TrafficEntry = RestCall | GatewayEvent;

/** `GET /traffic`: the last 500, oldest first. `DELETE /traffic` forgets them. */
export interface Traffic {
  readonly entries: readonly TrafficEntry[];
}

/** `GET /traffic/:id`: what was said, with tokens and keys taken out. */
export interface TrafficDetails {
  readonly entry: TrafficEntry;
  /** JSON; null where nothing was sent, or it is too long ago. */
  readonly sent: unknown;
  /** JSON, or a text where it is none; null for gateway events. Cut at 64 kB. */
  readonly answered: unknown;
  readonly files: readonly { readonly name: string; readonly sizeBytes: number }[];
}
