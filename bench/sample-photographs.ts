// Large random pictures, so that no real photograph is needed for measurements.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";

const SIZES = { "12": [4_000, 3_000], "24": [6_000, 4_000], "39": [7_200, 5_400] } as const;

/** Writes photographs as JPEG, with detail everywhere, and drawings as PNG, with flat areas. */
export async function writePictures(folder: string) {
  const files: { readonly name: string; readonly path: string }[] = [];
  for (const [megapixels, [width, height]] of Object.entries(SIZES)) {
    for (const [kind, grain] of [
      ["jpeg", 8],
      ["png", 24],
    ] as const) {
      const small = await noise(Math.ceil(width / grain), Math.ceil(height / grain));
      const kernel = kind === "jpeg" ? "cubic" : "nearest";
      const drawn = sharp(small).resize(width, height, { fit: "fill", kernel });
      const path = join(folder, `${megapixels}.${kind}`);
      writeFileSync(path, await drawn.toFormat(kind).toBuffer());
      files.push({ name: `${megapixels} megapixels as ${kind}`, path });
    }
  }
  return files;
}

function noise(width: number, height: number): Promise<Buffer> {
  const grain = { type: "gaussian", mean: 128, sigma: 50 } as const;
  return sharp({ create: { width, height, channels: 3, background: "#888", noise: grain } })
    .png()
    .toBuffer();
}
