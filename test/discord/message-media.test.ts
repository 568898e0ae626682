import { describe, expect, it } from "vitest";
import { message } from "../../src/discord/interaction.ts";
import { createMessageReference } from "../../src/discord/message-media.ts";

const CDN = "https://cdn.discordapp.com/attachments/1/2";

/** The media of a message with these parts. */
function mediaOf(parts: object) {
  const raw = message.parse({ id: "1", channel_id: "2", author: { id: "3" }, ...parts });
  return createMessageReference(raw).media;
}

const attachment = {
  id: "9",
  filename: "cat.png",
  url: `${CDN}/cat.png?ex=1`,
  size: 12,
  content_type: "image/png",
};

describe("the media of a message", () => {
  it("include its attachments, with spoiler and description", () => {
    expect(mediaOf({ attachments: [{ ...attachment, flags: 8, description: "A cat" }] })).toEqual([
      {
        name: "cat.png",
        url: attachment.url,
        sizeBytes: 12,
        contentType: "image/png",
        spoiler: true,
        description: "A cat",
      },
    ]);
  });

  it("include the pictures of embeds", () => {
    const embeds = [
      { image: { url: `${CDN}/a.png` }, thumbnail: { url: `${CDN}/b.png`, width: 3 } },
      { title: "no picture" },
      "nonsense",
      { image: { url: 7 } },
    ];
    expect(mediaOf({ embeds }).map(({ name }) => name)).toEqual(["a.png", "b.png"]);
    expect(mediaOf({ embeds }).map(({ spoiler }) => spoiler)).toEqual([false, false]);
    // Discord hides the picture of a link that is in a spoiler.
    const hidden = mediaOf({ content: `look: ||${CDN}/a.png||`, embeds });
    expect(hidden.map(({ spoiler }) => spoiler)).toEqual([true, true]);
    // An algorithm that tries each pair of bars and links would take minutes.
    const crafted = mediaOf({ content: "|".repeat(10_000) + "http://".repeat(2_000), embeds });
    expect(crafted.map(({ spoiler }) => spoiler)).toEqual([false, false]);
  });

  it("include galleries, thumbnails and files of components at any depth", () => {
    const components = [
      {
        type: 17,
        components: [
          {
            type: 12,
            items: [{ media: { url: `${CDN}/one%20two.png`, content_type: "image/png" }, spoiler: true }],
          },
          {
            type: 9,
            components: [],
            accessory: { type: 11, media: { url: `${CDN}/small.jpg` }, description: "Small" },
          },
        ],
      },
      { type: 13, file: { url: `${CDN}/file.webp` } },
      { type: 1, components: [{ type: 2, style: 5, url: "https://example.org/x.png" }] },
    ];
    expect(
      mediaOf({ components }).map((each) => [each.name, each.spoiler, each.description, each.sizeBytes]),
    ).toEqual([
      ["one two.png", true, undefined, 0],
      ["small.jpg", false, "Small", 0],
      ["file.webp", false, undefined, 0],
    ]);
  });

  it("include an attachment that a component shows only once, as a spoiler if either is one", () => {
    const media = { url: `${CDN}/cat.png?ex=2` };
    const components = [{ type: 12, items: [{ media, spoiler: true, description: "A cat" }] }];
    expect(mediaOf({ attachments: [attachment], components })).toMatchObject([
      { sizeBytes: 12, spoiler: true, description: "A cat" },
    ]);
  });

  it("include those of a forwarded message", () => {
    const message_snapshots = [{ message: { attachments: [attachment] } }];
    expect(mediaOf({ message_snapshots }).map(({ name }) => name)).toEqual(["cat.png"]);
  });

  it("are empty if the parts have an unknown shape", () => {
    expect(mediaOf({ message_snapshots: [1], embeds: 3 })).toEqual([]);
  });
});
