import picture from "../samples/night-train.jpg";
import film from "../samples/passing-train.mp4";

export const SAMPLES = {
  picture: {
    name: "night-train.jpg",
    type: "image/jpeg",
    description: "A train at night below the hills",
    url: picture,
  },
  film: {
    name: "passing-train.mp4",
    type: "video/mp4",
    description: "A train passes, for five seconds",
    url: film,
  },
} as const;

export type SampleKind = keyof typeof SAMPLES;

export async function fetchSample(kind: SampleKind): Promise<File> {
  const { url, name, type } = SAMPLES[kind];
  return new File([await (await fetch(url)).blob()], name, { type });
}
