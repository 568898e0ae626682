// The sample picture: drawn as shapes with grain in them, so that every style has something to work with.
import sharp from "sharp";

const WIDTH = 1200;
const HEIGHT = 800;

const SCENE = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">
  <defs>
    <linearGradient id="sky" x1="0" y1="0" x2="0" y2="1">
      <stop offset="0" stop-color="#16213f"/><stop offset="0.45" stop-color="#6a4a7c"/>
      <stop offset="0.62" stop-color="#e8895b"/><stop offset="0.7" stop-color="#ffd08a"/>
    </linearGradient>
    <linearGradient id="grass" x1="0" y1="0" x2="0" y2="1">
      <stop offset="0" stop-color="#3f6b4b"/><stop offset="1" stop-color="#12251f"/>
    </linearGradient>
    <linearGradient id="side" x1="0" y1="0" x2="0" y2="1">
      <stop offset="0" stop-color="#f4f0e6"/><stop offset="0.5" stop-color="#d8443a"/><stop offset="1" stop-color="#7c1f24"/>
    </linearGradient>
  </defs>
  <rect width="${WIDTH}" height="${HEIGHT}" fill="url(#sky)"/>
  <circle cx="860" cy="470" r="70" fill="#fff1c4"/>
  ${stars()}
  <path d="M0 520 L170 380 L300 470 L460 330 L640 500 L800 400 L980 510 L1200 390 V800 H0 Z" fill="#4a3d66"/>
  <path d="M0 560 Q300 450 620 560 T1200 530 V800 H0 Z" fill="#2f4f58"/>
  <path d="M0 610 Q600 560 1200 620 V800 H0 Z" fill="url(#grass)"/>
  <path d="M0 700 H1200 V716 H0 Z" fill="#2a2320"/>
  ${sleepers()}
  <g transform="translate(150 570)">
    <path d="M0 120 V30 Q0 6 26 6 H690 Q780 10 840 92 Q850 120 820 120 Z" fill="url(#side)"/>
    ${windows()}
    <path d="M716 24 Q768 34 802 78 H726 Z" fill="#1c2b3a"/>
    <circle cx="822" cy="104" r="9" fill="#fffbe0"/>
    <path d="M826 96 L1050 70 V150 L826 112 Z" fill="#fff6c8" opacity="0.35"/>
    ${wheels()}
  </g>
  <g fill="#1a1f24">
    <rect x="1010" y="430" width="12" height="280"/>
    <rect x="996" y="430" width="40" height="92" rx="14"/>
  </g>
  <circle cx="1016" cy="456" r="11" fill="#5c1512"/><circle cx="1016" cy="496" r="11" fill="#54f28a"/>
</svg>`;

/** A JPEG of 1200 × 800. */
export async function drawPicture(): Promise<Uint8Array> {
  const grain = sharp({
    create: {
      width: WIDTH,
      height: HEIGHT,
      channels: 3,
      background: "#808080",
      noise: { type: "gaussian", mean: 128, sigma: 14 },
    },
  });
  return sharp(Buffer.from(SCENE))
    .composite([{ input: await grain.png().toBuffer(), blend: "soft-light" }])
    .jpeg({ quality: 82 })
    .toBuffer();
}

function repeat(count: number, draw: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => draw(index)).join("");
}

/** Scattered evenly enough by two numbers that have no common measure. */
function stars(): string {
  return repeat(60, (index) => {
    const [x, y] = [(index * 197.3) % WIDTH, (index * 61.7) % 300];
    return `<circle cx="${x}" cy="${y}" r="${0.8 + (index % 3) * 0.6}" fill="#fdf6e3" opacity="${0.9 - y / 400}"/>`;
  });
}

function sleepers(): string {
  return repeat(40, (index) => `<rect x="${index * 30}" y="716" width="18" height="9" fill="#54463c"/>`);
}

function windows(): string {
  return repeat(
    9,
    (index) => `<rect x="${34 + index * 74}" y="28" width="52" height="36" rx="6" fill="#ffe39b"/>`,
  );
}

function wheels(): string {
  return repeat(8, (index) => {
    const x = 60 + Math.floor(index / 2) * 220 + (index % 2) * 46;
    return `<circle cx="${x}" cy="124" r="17" fill="#24211f"/><circle cx="${x}" cy="124" r="6" fill="#8c8378"/>`;
  });
}
