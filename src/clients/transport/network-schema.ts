// The fields of an answer about the network, under all the names that they may have: neither dialect documents them.
import { z } from "zod";
import { looseText } from "./loose-values.ts";

const anything = z.unknown().optional();

/** An answer, with the names under which the entries may stand. */
export const networkSchema = z.object({
  error: anything,
  request_time: looseText,
  status: anything,
  lines: anything,
  all: anything,
  member: anything,
  situations: anything,
});

/** A span of time under whichever names. */
const period = z
  .object({
    start: looseText,
    from: looseText,
    start_time: looseText,
    end: looseText,
    to: looseText,
    end_time: looseText,
  })
  .optional()
  .catch(undefined);

/** One line or incident, under any of the names that it may have. */
export const networkEntrySchema = z.object({
  mode: looseText,
  type: looseText,
  name: looseText,
  line_name: looseText,
  line: looseText,
  summary: looseText,
  title: looseText,
  status: looseText,
  state: looseText,
  description: looseText,
  reason: looseText,
  details: looseText,
  progress: looseText,
  validity: period,
  validity_period: period,
  validity_periods: z.array(period).optional().catch(undefined),
  start_time: looseText,
  end_time: looseText,
  valid_from: looseText,
  valid_to: looseText,
});
