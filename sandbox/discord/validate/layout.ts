// The components of messages, one by one. What holds over a whole message stands in message.ts.
import { z } from "zod";
import { button, componentId, stringSelect } from "./controls.ts";
import { report } from "./problems.ts";

const actionRow = z
  .object({
    type: z.literal(1),
    id: componentId,
    components: z
      .array(z.discriminatedUnion("type", [button, stringSelect]))
      .min(1)
      .max(5),
  })
  .superRefine(({ components }, context) => {
    const selects = components.filter(({ type }) => type !== 2).length;
    if (selects > 0 && components.length > 1) {
      report(
        context,
        ["components"],
        "COMPONENT_LAYOUT_WIDTH_EXCEEDED",
        "The specified component exceeds the maximum width",
      );
    }
  });

export const textDisplay = z.object({
  type: z.literal(10),
  id: componentId,
  content: z.string().min(1).max(4000),
});

const mediaUrl = z.object({
  url: z
    .string()
    .max(2048)
    .regex(/^(https?|attachment):\/\/\S+$/),
});

const thumbnail = z.object({
  type: z.literal(11),
  id: componentId,
  media: mediaUrl,
  description: z.string().max(1024).nullish(),
  spoiler: z.boolean().nullish(),
});

const section = z.object({
  type: z.literal(9),
  id: componentId,
  components: z.array(textDisplay).min(1).max(3),
  accessory: z.discriminatedUnion("type", [button, thumbnail]),
});

const mediaGallery = z.object({
  type: z.literal(12),
  id: componentId,
  items: z
    .array(
      z.object({
        media: mediaUrl,
        description: z.string().max(1024).nullish(),
        spoiler: z.boolean().nullish(),
      }),
    )
    .min(1)
    .max(10),
});

const file = z.object({
  type: z.literal(13),
  id: componentId,
  file: z.object({ url: z.string().regex(/^attachment:\/\/\S+$/) }),
  spoiler: z.boolean().nullish(),
});

const separator = z.object({
  type: z.literal(14),
  id: componentId,
  divider: z.boolean().nullish(),
  spacing: z.int().min(1).max(2).nullish(),
});

const container = z.object({
  type: z.literal(17),
  id: componentId,
  accent_color: z.int().min(0).max(0xffffff).nullish(),
  spoiler: z.boolean().nullish(),
  components: z
    .array(z.discriminatedUnion("type", [actionRow, section, textDisplay, mediaGallery, file, separator]))
    .min(1),
});

/** What may stand at the top of a message. */
export const messageComponents = z.array(
  z.discriminatedUnion("type", [actionRow, section, textDisplay, mediaGallery, file, separator, container]),
);
