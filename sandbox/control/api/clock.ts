// The sandbox's clock, told and turned.

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
