import { describe, expect, it } from "vitest";
import { UserError } from "../../../src/core/errors.ts";
import type { MessageFile } from "../../../src/core/ports.ts";
import { draftVideos } from "../../../src/videos/publishing/draft-videos.ts";
import type { PublishRequest } from "../../../src/videos/publishing/publish.ts";
import { publication } from "../../support/publications.ts";

const by = { userId: "7", roleIds: [] };
const order = { guildId: "1", channelId: "2", by };
const file = (name: string, contentType?: string): MessageFile => ({
  name,
  contentType,
  url: "https://cdn.example/x",
  sizeBytes: 5,
});

function fakePublish(refuse: (name: string) => Error | undefined = () => undefined) {
  const orders: PublishRequest[] = [];
  return {
    orders,
    async draft(made: PublishRequest) {
      orders.push(made);
      const refusal = refuse(made.file.name);
      if (refusal) {
        throw refusal;
      }
      return publication({ id: made.file.name });
    },
  };
}

describe("drafts of the files in a message", () => {
  it("are created for videos only, with titles from the file names", async () => {
    const publish = fakePublish();
    const files = [
      file("a_film.mp4", "video/mp4"),
      file("cat.png", "image/png"),
      file("old.avi"),
      file("no end"),
      file("notes.txt"),
      file("raw.bin", "application/octet-stream"),
      file("cat.gif"),
      file("save.dat", "application/octet-stream"),
    ];
    const { drafts } = await draftVideos(publish, order, files);
    expect(drafts.map(({ id }) => id)).toEqual(["a_film.mp4", "old.avi", "no end"]);
    expect(publish.orders.map(({ title }) => title)).toEqual(["a film", "old", "no end"]);
  });

  it("leave out a file that is refused, with the reason", async () => {
    const publish = fakePublish((name) => (name === "b.mp4" ? new UserError("Too small.") : undefined));
    const { drafts, refused } = await draftVideos(publish, order, [file("a.mp4"), file("b.mp4")]);
    expect(drafts).toHaveLength(1);
    expect(refused).toEqual([{ name: "b.mp4", sentence: "Too small." }]);
  });

  it("are refused if no file is accepted, with the first file's reason", async () => {
    const publish = fakePublish((name) => new UserError(`${name} will not do.`));
    await expect(draftVideos(publish, order, [file("a.mp4"), file("b.mp4")])).rejects.toThrow(
      "a.mp4 will not do.",
    );
    await expect(draftVideos(publish, order, [file("notes.txt")])).rejects.toThrow(UserError);
  });

  it("pass on an unexpected error", async () => {
    const publish = fakePublish(() => new Error("a bug"));
    await expect(draftVideos(publish, order, [file("a.mp4"), file("b.mp4")])).rejects.toThrow("a bug");
  });
});
