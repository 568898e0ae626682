// The small picture of a video: nobody looks into the file, so it shows the title in a colour of its own.
import sharp from "sharp";
import type { Video } from "./entities.ts";

const WIDTH = 480;
const HEIGHT = 270;
const TITLE_LENGTH = 24;

/** A JPEG, the same for the same video and title. */
export async function drawPoster({ id, title }: Pick<Video, "id" | "title">): Promise<Uint8Array> {
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
