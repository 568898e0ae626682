// What the sandbox's own routes below /_sandbox say to its page. Types alone, and none from elsewhere: the page, which
// knows no Node, imports them as they are. Moments (`atMs`) are on the sandbox's clock; durations (`…Ms`) are real.

/** What can be looked at and disturbed. */
export type Target = "discord" | "gateway" | "transport" | "style" | "video";

/** The stand-ins. */
export type Service = Exclude<Target, "discord" | "gateway">;

/** Something that a rule of the local Discord found. */
export interface Finding {
  /** `error`: refused, lost or left unanswered. `note`: worth knowing, e.g. an injected fault or a message not sent twice. */
  readonly severity: "error" | "note";
  /** Discord's number or word, e.g. `50035`, `BASE_TYPE_REQUIRED`, `429`; or the sandbox's own: `fault`, `double`… */
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

/** A call to a stand-in. */
export interface ServiceCall {
  readonly atMs: number;
  readonly method: string;
  /** Without credentials. */
  readonly path: string;
  /** Null while open, and for good where the answer was lost. */
  readonly status: number | null;
  readonly tookMs: number | null;
  /** The name of the fault that it met, in the stand-in's words. */
  readonly fault: string | null;
}

export interface TransportCall extends ServiceCall {
  /** What it cost of the plan. */
  readonly weight: number;
  /** The application that called. */
  readonly caller: string;
}

/** `GET /transport`. */
export interface TransportLedger {
  readonly plan: {
    readonly limit: number;
    readonly used: number;
    readonly windowMs: number;
    /** When the count begins anew. */
    readonly turnsAtMs: number;
  };
  readonly callers: readonly { readonly caller: string; readonly calls: number; readonly weight: number }[];
  /** The last 200, oldest first. */
  readonly calls: readonly TransportCall[];
}

/** A picture that was sent to be restyled, and what became of it. */
export interface StyleOrder extends ServiceCall {
  readonly style: string;
  /** Strength, second style and mix, as sent. */
  readonly fields: Readonly<Record<string, string>>;
  readonly picture: {
    readonly name: string;
    /** e.g. `jpeg`; null for what is no picture. */
    readonly type: string | null;
    readonly sizeBytes: number;
    readonly width: number | null;
    readonly height: number | null;
    readonly hasMetadata: boolean;
  };
  /** Where the page gets the result, e.g. `_sandbox/style/outputs/r3.jpg`; null where there is none, or no longer. */
  readonly resultUrl: string | null;
}

/** `GET /style`. */
export interface StyleLedger {
  readonly orders: readonly StyleOrder[];
  /** How often each style was asked for, most first. */
  readonly styles: readonly { readonly style: string; readonly orders: number }[];
  /** All calls, questions after jobs and results too: the last 200, oldest first. */
  readonly calls: readonly ServiceCall[];
}

export interface VideoComment {
  readonly id: string;
  /** The comment that it answers. */
  readonly parentId: string | null;
  /** Null for a name that is kept back. */
  readonly author: string | null;
  readonly isByPage: boolean;
  readonly message: string;
  readonly atMs: number;
  readonly isHidden: boolean;
}

export interface PublishedVideo {
  readonly id: string;
  readonly page: string;
  readonly title: string;
  readonly description: string;
  readonly createdAtMs: number;
  readonly status: "processing" | "ready" | "error";
  readonly percent: number;
  readonly publishing: "draft" | "scheduled" | "published";
  /** When it is to be seen; null unless scheduled. */
  readonly publishAtMs: number | null;
  readonly file: { readonly name: string; readonly contentType: string; readonly sizeBytes: number };
  /** For a `<video>`; null until it is published, and for files above 32 MB, of which only the beginning is kept. */
  readonly mediaUrl: string | null;
  readonly views: number;
  readonly likes: number;
  readonly shares: number;
  readonly comments: readonly VideoComment[];
}

/** An upload that goes on. */
export interface VideoUpload {
  /** `simple`: one form. `chunked`: a session in pieces. */
  readonly kind: "simple" | "chunked";
  readonly id: string;
  readonly startedAtMs: number;
  readonly receivedBytes: number;
  /** Null where the form does not say. */
  readonly sizeBytes: number | null;
}

export interface VideoCall extends ServiceCall {
  /** e.g. `video` where one was made; null for reads and refusals. */
  readonly made: string | null;
  /** Code and subcode of a refusal, e.g. `190/463`. */
  readonly error: string | null;
}

/** `GET /video`. */
export interface VideoLedger {
  readonly videos: readonly PublishedVideo[];
  readonly uploads: readonly VideoUpload[];
  /** Invented tokens to try `/video account link` with. */
  readonly tokens: readonly { readonly label: string; readonly value: string }[];
  /** The last 200, oldest first. */
  readonly calls: readonly VideoCall[];
}

/** `POST /video/comments`: somebody in the audience speaks; answered with the ledger. */
export interface AudienceComment {
  /** Of a video, or of a comment to answer. */
  readonly aboutId: string;
  readonly message: string;
  /** Absent: the service keeps it back, as it does of most people. */
  readonly name?: string;
}

/** `POST /video/processing`: ends a video's processing now; answered with the ledger. */
export interface EndedProcessing {
  readonly videoId: string;
  readonly end: "ready" | "failed";
}

/** A bad day that can be had. */
export interface FaultSwitch {
  /** e.g. `transport:used-up`. */
  readonly id: string;
  readonly target: Target;
  readonly label: string;
  readonly description: string;
  /** `lasting`: until it is taken off, or has been met so many times. `moment`: happens once, at once. */
  readonly kind: "lasting" | "moment";
}

/** A lasting one that is on. */
export interface ActiveFault {
  readonly id: number;
  readonly switchId: string;
  readonly target: Target;
  readonly label: string;
  readonly sinceMs: number;
  /** How many calls have met it. */
  readonly met: number;
  /** How many will meet it; null until it is taken off. */
  readonly times: number | null;
}

/** `GET /faults`; also the answer to `POST /faults`, `DELETE /faults/:id` and `DELETE /faults`, which takes all off. */
export interface FaultState {
  readonly switches: readonly FaultSwitch[];
  readonly active: readonly ActiveFault[];
}

/** `POST /faults`: turns one on, or lets a moment happen. */
export interface FaultOrder {
  readonly switchId: string;
  /** For lasting ones: how many calls meet it. Absent: all until it is taken off. */
  readonly times?: number;
}

/** A moment to jump to. */
export type JumpId = "now" | "rush-hour" | "night" | "spring-change" | "autumn-change";

/** How fast time goes by; 60: an hour in a minute. */
export type ClockRate = 1 | 60;

/** `GET /clock`; also the answer to `POST /clock`. */
export interface ClockState {
  readonly nowMs: number;
  /** `still`: only in tests. */
  readonly mode: "still" | "running";
  /** At 60 time waits while somebody waits for an answer: what the page extrapolates is a little ahead at times. */
  readonly rate: ClockRate;
  /** Where the next jump of each kind would lead; `now` back to the machine's time and rate 1. */
  readonly jumps: readonly {
    readonly id: JumpId;
    readonly label: string;
    readonly description: string;
    readonly atMs: number;
  }[];
}

/** `POST /clock`. A jump also lets the bot do what is due then. */
export type ClockOrder =
  | { readonly advanceMs: number }
  /** ISO 8601. */
  | { readonly at: string }
  | { readonly jump: JumpId }
  | { readonly rate: ClockRate };

/** `GET /bot`; also the answer to `POST /bot`, which waits for an end, but not until the bot is ready. */
export interface BotState {
  /** `none`: this sandbox runs no bot of its own. */
  readonly state: "starting" | "ready" | "stopped" | "none";
  readonly pid: number | null;
  /** How often it was started. */
  readonly starts: number;
  /** Why it could not start. */
  readonly problem: string | null;
}

/** `POST /bot`. `restart` kills it as a crash would and starts it again; what it keeps in its database stays. */
export interface BotOrder {
  readonly do: "restart" | "kill" | "start";
}

/** `GET /bot/log`: the last 200 lines that the bot wrote, oldest first: JSON of its log, or whatever else it said. */
export interface BotLog {
  readonly lines: readonly string[];
}

/** A file that a newcomer can attach. */
export interface Sample {
  readonly kind: "picture" | "video";
  readonly name: string;
  readonly contentType: string;
  readonly sizeBytes: number;
  readonly description: string;
  /** e.g. `_sandbox/samples/night-train.jpg`. */
  readonly url: string;
}

/** `GET /samples`. */
export interface Samples {
  readonly samples: readonly Sample[];
}

/** `message` events of `GET /events`: something that a member would see, or that concerns the whole page. */
export type PageEvent =
  | {
      readonly type: "message-created" | "message-updated" | "message-deleted";
      readonly channelId: string;
      readonly messageId: string;
    }
  | {
      readonly type: "interaction-changed" | "thread-created" | "thread-updated" | "thread-deleted";
      readonly channelId: string;
    }
  | {
      readonly type:
        | "channel-created"
        | "channel-deleted"
        | "command-permissions-changed"
        | "commands-changed"
        | "guild-joined"
        | "guild-left";
    }
  /** After every turn, and every second or so while time runs fast. */
  | { readonly type: "clock"; readonly nowMs: number; readonly rate: ClockRate }
  | ({ readonly type: "bot" } & BotState);

/** `inspector` events of the same stream. */
export type InspectorEvent =
  /** New, or once more when it is over. */
  | { readonly type: "traffic"; readonly entry: TrafficEntry }
  /** Something changed there: ask for its ledger when it is on view. */
  | { readonly type: "ledger"; readonly service: Service }
  | { readonly type: "faults"; readonly active: readonly ActiveFault[] };
