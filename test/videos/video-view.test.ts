import { expect, it } from "vitest";
import { formatReply } from "../../src/discord/reply.ts";
import type { ShownVideo } from "../../src/videos/videos.ts";
import { videoEditForm } from "../../src/videos/publication-form.ts";
import { videoView } from "../../src/videos/video-view.ts";

const VIDEO: ShownVideo = {
  id: "10203040506071818",
  title: "Opening *day*",
  description: undefined,
  createdAtMs: undefined,
  lengthSeconds: 65,
  status: { stage: "published", percent: undefined, problem: undefined },
  publishAtMs: undefined,
  link: undefined,
  picture: undefined,
  ownerId: "1",
  postId: "2",
  views: 1,
  likes: undefined,
  comments: undefined,
  shares: 0,
  publicationId: undefined,
};

it("shows a video beside its picture if it has one", () => {
  const bytes = new Uint8Array(10);
  const reply = videoView(VIDEO, { done: "Done.", picture: { bytes, type: "jpg" } });
  const text = "Done.\n### Opening \\*day\\*\nPublished · 1:05\n**1 view · 0 shares**";
  expect(reply.blocks).toMatchObject([
    { blocks: [{ type: "section", texts: [text], accessory: { file: "video.jpg" } }, { type: "buttons" }] },
  ]);
  expect(reply.files).toEqual([{ name: "video.jpg", bytes, description: "A picture of the video" }]);
  const { body, files, refused } = formatReply(reply, 10_000_000);
  expect([JSON.stringify(body.components).includes("attachment://video.jpg"), files.length]).toEqual([
    true,
    1,
  ]);
  expect(refused).toEqual([]);
  expect(videoView(VIDEO, { done: "Done." }).blocks).toMatchObject([
    { blocks: [{ type: "text", text }, {}] },
  ]);
});

it("the form that edits a video says if the description is too long for it", () => {
  const fieldsFor = (length: number) =>
    videoEditForm({ ...VIDEO, description: "x".repeat(length) }, false).fields;
  expect(fieldsFor(4_000)).toMatchObject([{ name: "title" }, { name: "description" }]);
  expect(fieldsFor(4_001)).toMatchObject([
    { name: "title", description: expect.stringContaining("too long") },
  ]);
});
