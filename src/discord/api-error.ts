// What Discord's answers mean when it refuses or fails, as far as more than one place needs to know.
// https://discord.com/developers/docs/topics/opcodes-and-status-codes#json
import { DiscordAPIError, HTTPError } from "discord.js";

const ENTITY_TOO_LARGE = 40_005;
/** A server whose file uploads Discord has restricted for a while. */
const UPLOADS_RESTRICTED = 400_001;

/** Whether Discord refused with this code. */
export function isApiError(error: unknown, code: number): boolean {
  return error instanceof DiscordAPIError && error.code === code;
}

/** Whether Discord refused a request for its files. */
export function isFileRefusal(error: unknown): boolean {
  return (
    isApiError(error, ENTITY_TOO_LARGE) ||
    isApiError(error, UPLOADS_RESTRICTED) ||
    ((error instanceof DiscordAPIError || error instanceof HTTPError) && error.status === 413)
  );
}
