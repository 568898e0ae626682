// The sandbox's clock, told and turned.

/** A moment to jump to. */
export type JumpId = "now" | "rush-hour" | "night" | "spring-change" | "autumn-change";

/** `GET /clock`; also the answer to `POST /clock`. */
export interface ClockState {
  readonly nowMs: number;
  /** `still`: only in tests. */
  readonly mode: "still" | "running";
  /** Where the next jump of each kind would lead; `now` back to the machine's time. */
  readonly jumps: readonly {
    readonly id: JumpId;
    readonly label: string;
    readonly description: string;
    readonly atMs: number;
  }[];
}

/** `POST /clock`. Afterwards the bot does what is due. */
export type ClockOrder =
  | { readonly advanceMs: number }
  /** In small steps, each of which waits while somebody waits for an answer. */
  | { readonly passMs: number }
  | { readonly jump: JumpId };
