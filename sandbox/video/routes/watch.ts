// Routes for viewers of a published video, without a token: a page that plays it, its file, and a small picture.
import { Hono } from "hono";
import { html } from "hono/html";
import type { VideoContext, VideoEnv } from "../context.ts";
import type { Video } from "../entities.ts";
import { progressOf } from "../progress.ts";
import { answerFile } from "../received-file.ts";
import sharp from "sharp";

export function createWatch({ clock, store }: VideoContext): Hono<VideoEnv> {
  function findPublished(id: string): Video | undefined {
    const video = store.videos.get(id);
    return video !== undefined && progressOf(video, clock.now()).isPublished ? video : undefined;
  }

  return new Hono<VideoEnv>()
    .get("/reel/:id/", (request) => {
      const video = findPublished(request.req.param("id"));
      if (video === undefined) {
        return request.text("This content isn't available at the moment.", 404);
      }
      const { id, title, description, file } = video;
      return request.html(
        html`<!doctype html>
          <html lang="en-GB">
            <meta charset="utf-8" />
            <title>${title || "A video"} – the sandbox's video service</title>
            <h1>${title}</h1>
            ${
              file.chunks.length > 0
                ? html`<video controls src="/media/${id}.mp4" style="max-width: 100%"></video>`
                : html`<p>The sandbox doesn't keep a file this large.</p>`
            }
            <p>${description}</p>
            <p>${store.findPage(video.pageId)?.name ?? ""}</p>
          </html>`,
      );
    })
    .get("/media/:file{[0-9]+\\.jpg}", async (request) => {
      const video = store.videos.get(request.req.param("file").replace(/\.jpg$/, ""));
      if (video === undefined) {
        return request.text("Gone", 404);
      }
      const bytes = new Uint8Array(await drawPoster(video));
      return new Response(bytes, { headers: { "content-type": "image/jpeg" } });
    })
    .get("/media/:file", (request) => {
      const video = findPublished(request.req.param("file").replace(/\.mp4$/, ""));
      return video === undefined
        ? request.text("Gone", 404)
        : answerFile(video.file, request.req.header("range"));
    });
}

const WIDTH = 480;
const HEIGHT = 270;
const TITLE_LENGTH = 24;

/** A JPEG with the video's title on a background colour that depends on its id. It shows nothing of the file. */
async function drawPoster({ id, title }: Pick<Video, "id" | "title">): Promise<Uint8Array> {
  const hue = Number(BigInt(id) % 360n);
  const words = Array.from(title || "A video")
    .slice(0, TITLE_LENGTH)
    .join("");
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">
    <rect width="100%" height="100%" fill="hsl(${hue}, 45%, 32%)"/>
    <path d="M208 85 L288 135 L208 185 Z" fill="#fff" opacity="0.85"/>
    <text x="50%" y="240" text-anchor="middle" font-family="sans-serif" font-size="28" fill="#fff">${escapeText(words)}</text>
  </svg>`;
  return sharp(Buffer.from(svg)).jpeg({ quality: 80 }).toBuffer();
}

function escapeText(text: string): string {
  return text
    .toWellFormed()
    .replace(/\p{Cc}/gu, " ")
    .replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);
}
