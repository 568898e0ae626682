// A guild's settings for videos as they are kept, and what a change of them is called.
import { z } from "zod";
import { isZone } from "../schedule/zones.ts";
import type { VideoSettings } from "./video-settings.ts";

/** What a guild has chosen; what it has not is absent. */
type ChosenSettings = Partial<VideoSettings>;

const id = z
  .string()
  .regex(/^\d{1,20}$/)
  .optional();

/** Whatever says who may do something must be readable; a zone that is no longer known is as good as none. */
const chosenSchema = z.object({
  approvalChannelId: id,
  approverRoleId: id,
  publisherRoleId: id,
  timeZone: z.string().refine(isZone).optional().catch(undefined),
});

/** Reads what `serialiseChosen` wrote. Throws for anything else. */
export function parseChosen(json: string): ChosenSettings {
  const { approvalChannelId, approverRoleId, publisherRoleId, timeZone } = chosenSchema.parse(
    JSON.parse(json),
  );
  return { approvalChannelId, approverRoleId, publisherRoleId, ...(timeZone !== undefined && { timeZone }) };
}

/** Writes settings as JSON. */
export function serialiseChosen(chosen: ChosenSettings): string {
  return JSON.stringify(chosen);
}

/** What a change comes to, for the guild's record, e.g. `approver role set, time zone Europe/Paris`. */
export function describeChange(before: VideoSettings, after: VideoSettings): string {
  const words = [
    before.approvalChannelId !== after.approvalChannelId &&
      (after.approvalChannelId === undefined ? "approval switched off" : "approval channel set"),
    before.approverRoleId !== after.approverRoleId &&
      (after.approverRoleId === undefined ? "approver role taken away" : "approver role set"),
    before.publisherRoleId !== after.publisherRoleId &&
      (after.publisherRoleId === undefined ? "publisher role taken away" : "publisher role set"),
    before.timeZone !== after.timeZone && `time zone ${after.timeZone}`,
  ];
  return words.filter((each) => each !== false).join(", ");
}
