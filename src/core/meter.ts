// The metrics of the bot, for monitoring: each with its help text and labels. Labels take few values, and never an id.
// docs/monitoring.md lists the metrics for operators.

/** `refused`: with a sentence that says what to do instead. `failed`: for reasons that the person cannot influence. */
export type AnswerOutcome = "answered" | "refused" | "failed";

type Definitions = Readonly<Record<string, readonly [help: string, ...labels: string[]]>>;

export const COUNTERS = {
  /** `task` is the same as in the log, e.g. `departures` or `departures:later`. */
  answers_total: ["Commands, buttons, menus, forms and messages that were answered.", "task", "outcome"],
  refusals_total: ["Answers that were refused or that failed, by why.", "reason"],
  completions_total: ["Suggestions that were asked for while somebody typed.", "outcome"],
  foreign_answers_total: ["Interactions that another process with the same token had answered already."],
  service_requests_total: [
    "Requests to the services behind the bot, retries included.",
    "service",
    "verb",
    "outcome",
  ],
  cache_answers_total: ["Questions to a service that went through a cache.", "cache", "outcome"],
  job_runs_total: ["Runs of the bot's jobs.", "name", "outcome"],
  gateway_sessions_total: ["Gateway sessions that were begun, resumed or lost.", "event"],
  gateway_closes_total: ["Gateway connections that were closed, by code.", "code"],
  discord_requests_total: ["Requests to Discord's API, by the answer's status.", "status"],
  discord_limit_waits_total: ["Requests that waited for one of Discord's limits.", "scope"],
  discord_limit_wait_seconds_total: ["Time that Discord's limits asked requests to wait.", "scope"],
  database_failures_total: ["Statements that failed because of the database's server or disk."],
  board_slots_total: ["Slots of boards, by how they ended.", "outcome"],
} as const satisfies Definitions;

export const DURATIONS = {
  first_answer_duration_seconds: ["Time from Discord's event to the first answer, for which it waits 3 s."],
  answer_duration_seconds: ["Time from Discord's event to the complete answer.", "task"],
  service_request_duration_seconds: [
    "Time of each request to the services behind the bot, until its answer was read.",
    "service",
  ],
  job_duration_seconds: ["Time of each run of the bot's jobs.", "name"],
  database_statement_duration_seconds: ["Time of each statement of the database."],
  board_slot_delay_seconds: ["Time from a board's slot until the channel showed it."],
} as const satisfies Definitions;

export const GAUGES = {
  build_info: ["Always 1.", "version", "node"],
  shard_ready: ["1 if the shard is connected, 0 if not.", "shard"],
  gateway_latency_seconds: ["Round trip of the shard's last heartbeat to Discord.", "shard"],
  guilds: ["Servers that the bot is in, as far as this process knows."],
  duplicate_shards: ["Shards of this process that another one runs too."],
  leader: ["1 if this process runs the jobs, 0 if another one does."],
  messenger_queue_length: ["Requests for messages that wait for their turn.", "urgency"],
  messenger_queue_age_seconds: ["How long the oldest request for messages has waited.", "urgency"],
  messenger_share: ["How many requests for messages this process may send in a second."],
  database_up: ["1 if the database answers, 0 if it has not for a minute."],
  database_connections: ["Connections of the pool to PostgreSQL.", "state"],
  database_waiting: ["Queries that wait for a connection of the pool."],
  database_file_bytes: ["Size of the SQLite database on the disk.", "file"],
  plan_calls_limit: ["Calls that a service's plan allows in its window.", "service"],
  plan_calls_used: ["Calls that count against the plan now, from all processes.", "service"],
  plan_calls_left: ["Calls that the plan has left for members now.", "service"],
  boards: ["Boards, of all processes.", "state"],
  boards_due: ["Running boards whose slot has come and is not done, of all processes."],
  boards_late: ["Running boards whose slot came more than a minute ago and is not done, of all processes."],
  watches: ["Watches, of all processes.", "state"],
  publications: ["Publications of videos, of all processes.", "state"],
  video_accounts: ["Video accounts that servers have linked, of all processes.", "state"],
  video_uploads: ["Uploads of videos under way."],
  picture_queue: ["Pictures for the style service.", "state"],
} as const satisfies Definitions;

type Labels<D> = D extends readonly [string, ...infer Names extends string[]]
  ? Readonly<Record<Names[number], string | number>>
  : never;

/** A gauge's value, or several values with their labels; `undefined` if it is unknown. */
type Reading<L> = number | undefined | readonly (readonly [labels: L, value: number])[];

export type Readings = {
  readonly [N in keyof typeof GAUGES]?: Reading<Labels<(typeof GAUGES)[N]>>;
};

export interface Meter {
  /** Adds `by` to a counter; default 1. */
  count<N extends keyof typeof COUNTERS>(name: N, labels: Labels<(typeof COUNTERS)[N]>, by?: number): void;
  time<N extends keyof typeof DURATIONS>(
    name: N,
    labels: Labels<(typeof DURATIONS)[N]>,
    milliseconds: number,
  ): void;
  /** From now on, calls `read` whenever the metrics are read. If it fails, its gauges have no values. */
  gauges(read: () => Readings | Promise<Readings>): void;
}

export const noMeter: Meter = { count() {}, time() {}, gauges() {} };
