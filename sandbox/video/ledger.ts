import type { Call } from "../http/stand-in.ts";
import type { ReceivedFile } from "./entities.ts";

export interface LedgerEntry extends Call {
  /** Without the version and the query. For an upload, the last part is its phase, or `simple`. */
  readonly path: string;
  /** The id of the page or person whose token the request had; `undefined` without a valid token. */
  readonly ownerId?: string | undefined;
  readonly tokenIn?: "header" | "field" | "query" | undefined;
  readonly hasProof: boolean;
  /** The form's fields, or the query's, without token and proof. */
  readonly fields: Readonly<Record<string, string>>;
  /** The uploaded file, without its contents. */
  readonly file?: Omit<ReceivedFile, "chunks"> | undefined;
  /** What the request created, changed or removed; absent for reads and refused requests. */
  readonly write?: WriteRecord;
  /** Code and subcode of a refusal, e.g. `100/33`. */
  readonly error?: string;
}

export interface WriteRecord {
  readonly what: "session" | "piece" | "video" | "comment" | "change" | "removal";
  /** The id of the object. A piece has the id of its session. */
  readonly id: string;
}

const SECRETS: ReadonlySet<string> = new Set(["access_token", "appsecret_proof", "input_token"]);

export function withoutSecrets(fields: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !SECRETS.has(name)));
}
