// What was asked of the stand-in, and what came of it.
import type { Call } from "../http/stand-in.ts";
import type { ReceivedFile } from "./entities.ts";

export interface LedgerEntry extends Call {
  /** Without the version and the query; an upload's phase is its last part, `simple` without one. */
  readonly path: string;
  /** Whose token came: a page's or a person's id; `undefined` for none that is good. */
  readonly ownerId?: string | undefined;
  readonly tokenIn?: "header" | "field" | "query" | undefined;
  readonly hasProof: boolean;
  /** The form's fields, or the query's, without token and proof. */
  readonly fields: Readonly<Record<string, string>>;
  /** Of a file: what it was, not what was in it. */
  readonly file?: Omit<ReceivedFile, "chunks"> | undefined;
  /** What a write made or changed; `undefined` for reads and for what was refused. */
  readonly write?: WriteRecord;
  /** Code and subcode of a refusal, e.g. `100/33`. */
  readonly error?: string;
}

/** What a write came to. */
export interface WriteRecord {
  readonly what: "session" | "piece" | "video" | "comment" | "change" | "removal";
  /** Of the thing: for a session and a piece, the session. */
  readonly id: string;
}

const SECRETS: ReadonlySet<string> = new Set(["access_token", "appsecret_proof", "input_token"]);

export function withoutSecrets(fields: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !SECRETS.has(name)));
}
