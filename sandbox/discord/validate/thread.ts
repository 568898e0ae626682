// Bodies that make or change threads.
import { z } from "zod";
import { parseForm } from "./problems.ts";

const name = z.string().min(1).max(100);
const archiveAfterMinutes = z.literal([60, 1440, 4320, 10_080]);

const threadForm = z.object({
  name,
  auto_archive_duration: archiveAfterMinutes.nullish(),
  rate_limit_per_user: z.int().min(0).max(21_600).nullish(),
  /** Below a channel: 10 announcement, 11 public, 12 private. */
  type: z.literal([10, 11, 12]).nullish(),
  invitable: z.boolean().nullish(),
});

/** A new thread whose parts are right. */
export type ThreadForm = z.output<typeof threadForm>;

/** Throws 50035. */
export function parseThreadForm(body: unknown): ThreadForm {
  return parseForm(threadForm, body);
}

const threadChange = z.object({
  name: name.nullish(),
  archived: z.boolean().nullish(),
  locked: z.boolean().nullish(),
  auto_archive_duration: archiveAfterMinutes.nullish(),
});

/** Throws 50035. */
export function parseThreadChange(body: unknown): z.output<typeof threadChange> {
  return parseForm(threadChange, body);
}
