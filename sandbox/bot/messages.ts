// The messages between the sandbox and the bot's own process. The application itself does not know them.

interface ClockState {
  readonly nowMs: number;
  readonly mode: "still" | "running";
}

export type ToBot =
  | {
      readonly type: "start";
      readonly clock: ClockState;
      readonly commandsDir?: string;
      readonly collectsGarbage: boolean;
    }
  | { readonly type: "set-clock"; readonly clock: ClockState & { readonly jumpMs: number } }
  | { readonly type: "tick" | "stop" };

export type FromBot =
  | { readonly type: "ready" | "clock-set" | "ticked" }
  | { readonly type: "failed"; readonly message: string };
