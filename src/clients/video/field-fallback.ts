// The service refuses a whole question for one field that it does not have, or that this token may not read.
import { PLAIN_FIELDS } from "./read-video.ts";
import { VideoRefusal } from "./refusal.ts";

const ABOUT_A_FIELD: ReadonlySet<string | undefined> = new Set(["bad-request", "permission", "unsupported"]);

/** Asks for the fields that are wanted, and where they are refused for those that every version has. */
export async function askForFields<T>(wanted: string, ask: (fields: string) => Promise<T>): Promise<T> {
  try {
    return await ask(wanted);
  } catch (error) {
    if (error instanceof VideoRefusal && ABOUT_A_FIELD.has(error.trouble)) {
      return ask(PLAIN_FIELDS);
    }
    throw error;
  }
}
