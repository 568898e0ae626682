// What was asked of the stand-ins, and what they made of it; the video service has a file of its own.

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

/** A call to one of the sources of trains. */
export interface TransportCall extends ServiceCall {
  readonly source: "transport" | "rail-data" | "tfl";
  /** What it cost of that source's plan. */
  readonly weight: number;
}

/** `GET /transport`. */
export interface TransportLedger {
  /** That of the transport service. */
  readonly plan: {
    readonly limit: number;
    readonly used: number;
    readonly windowMs: number;
    /** When the count begins anew. */
    readonly turnsAtMs: number;
  };
  /** The last 200 to any source, oldest first. */
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
  /** All calls, questions after jobs and results too: the last 200, oldest first. */
  readonly calls: readonly ServiceCall[];
}
