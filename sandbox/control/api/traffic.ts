/** A remark about a call or an event, e.g. that it broke one of Discord's rules. */
export interface Finding {
  /** `error`: refused, lost or not answered. `note`: worth knowing, e.g. an injected fault or a repeated message. */
  readonly severity: "error" | "note";
  /** Discord's code, e.g. `50035`, `BASE_TYPE_REQUIRED`, `429`; or the sandbox's own, e.g. `injected`, `double`. */
  readonly code: string;
  readonly message: string;
  /** The path in the body, e.g. `components.0.content`. */
  readonly place: string | null;
}

interface TrafficBase {
  /** Grows with each entry; a later state of the same entry has the same id. */
  readonly id: number;
  readonly atMs: number;
  readonly interactionId: string | null;
  readonly findings: readonly Finding[];
}

export interface RestCall extends TrafficBase {
  readonly kind: "rest";
  readonly method: string;
  /** With ids replaced, e.g. `/channels/:id/messages/:id`. */
  readonly route: string;
  /** With ids and the query, without tokens. */
  readonly path: string;
  readonly state: "open" | "answered" | "lost";
  /** The status that the bot received; null until the call is answered, or if the answer was lost. */
  readonly status: number | null;
  readonly tookMs: number | null;
  readonly files: number;
}

export interface GatewayEvent extends TrafficBase {
  readonly kind: "gateway";
  readonly direction: "to-bot" | "from-bot";
  /** The event's name, e.g. `INTERACTION_CREATE`, or else the operation's, e.g. `HELLO`, `IDENTIFY`, `CLOSE 4004`. */
  readonly name: string;
  /** Null before the bot has identified. */
  readonly shard: number | null;
}

export type TrafficEntry = RestCall | GatewayEvent;

/** `GET /traffic`: the last 500 entries, oldest first. `DELETE /traffic` clears them. */
export interface Traffic {
  readonly entries: readonly TrafficEntry[];
}

/** `GET /traffic/:id`: an entry and its contents, with tokens and keys redacted. */
export interface TrafficDetails {
  readonly entry: TrafficEntry;
  /** JSON; null if nothing was sent, or if the body is no longer stored. */
  readonly sent: unknown;
  /** JSON, or text if the answer is not JSON; null for gateway events. Cut after 64 kB. */
  readonly answered: unknown;
  readonly files: readonly { readonly name: string; readonly sizeBytes: number }[];
}
