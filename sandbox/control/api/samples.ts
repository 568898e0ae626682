// Files that a newcomer can attach.

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
