// What the bot and its picture process say to each other. The process decodes what strangers made, so its answers are
// parsed like a stranger's.
import { z } from "zod";

/** How a picture is to come out. */
export interface EncodeQuestion {
  readonly do: "encode";
  readonly maxBytes: number;
  /** The longer side. */
  readonly maxSide: number;
  /** What a picture that shows through may become. An opaque one becomes JPEG. */
  readonly transparentAs: readonly ("png" | "webp")[];
}

/** Two pictures come with it: what lies below, what lies above. */
export interface BlendQuestion {
  readonly do: "blend";
  /** 0 to 1. */
  readonly opacity: number;
}

export type PictureQuestion = EncodeQuestion | BlendQuestion;

/** What the process says once, before any answer. */
export const READY = { type: "ready" } as const;

const PROBLEMS = ["heic", "too-many-pixels", "too-many-frames", "damaged", "not-a-picture"] as const;

/** One picture comes with the first. */
export const pictureAnswer = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("picture"),
    contentType: z.enum(["image/jpeg", "image/png", "image/webp"]),
    width: z.int().positive(),
    height: z.int().positive(),
    wasAnimated: z.boolean(),
    wasReduced: z.boolean(),
  }),
  /** The picture cannot be used; `detail` is the decoder's own word. */
  z.object({ type: z.literal("problem"), problem: z.enum(PROBLEMS), detail: z.string().optional() }),
  z.object({ type: z.literal("bug"), detail: z.string() }),
]);

export type PictureAnswer = z.output<typeof pictureAnswer>;
