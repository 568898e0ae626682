// Reads the form that a picture comes in.
import { FILTERS, type RestyleOrder } from "./filters.ts";
import { describeSent, type SentPicture } from "./ledger.ts";

/** How the stand-in says no: answered as JSON with its status. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly status: 400 | 401 | 404 | 413 | 415 | 422;
  readonly code: string;

  constructor(status: Refusal["status"], code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** As the catalogue says. */
const MAX_BYTES = 8_000_000;
const MAX_SIDE = 2048;

/**
 * Throws a Refusal: 400 for no form or a wrong number, 413, 415 and 422 for the picture, 422 for a style. `onSent` is
 * told what arrived before it is judged. Parameters that are off are not looked at, as any service treats what it
 * does not know.
 */
export async function readOrder(
  request: Request,
  parameters: "on" | "off",
  onSent: (sent: SentPicture) => void,
): Promise<RestyleOrder> {
  const form = await request.formData().catch(() => {
    throw new Refusal(400, "bad_form", "The form cannot be read");
  });
  const fields = Object.fromEntries(
    [...form].flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : [])),
  );
  const { style = "", ...others } = fields;
  const file = form.get("image");
  if (file === null || typeof file === "string") {
    throw new Refusal(400, "missing_image", "The field image must hold a file");
  }
  const bytes = new Uint8Array(await file.arrayBuffer());
  const sent = await describeSent(file, bytes, style, others);
  onSent(sent);
  if (bytes.byteLength > MAX_BYTES) {
    throw new Refusal(413, "too_large", `An image may have ${MAX_BYTES} bytes`);
  }
  if (sent.type === undefined) {
    throw new Refusal(415, "unsupported_media_type", "The file is no image that can be read");
  }
  if (Math.max(sent.width ?? 0, sent.height ?? 0) > MAX_SIDE) {
    throw new Refusal(422, "too_many_pixels", `The image's longer side may have ${MAX_SIDE} pixels`);
  }
  checkStyle(style);
  if (parameters === "off") {
    return { bytes, style, strength: 1, mix: undefined };
  }
  const { style2 } = others;
  if (style2 !== undefined) {
    checkStyle(style2);
  }
  return {
    bytes,
    style,
    strength: readShare("strength", others["strength"], 1),
    mix: style2 === undefined ? undefined : { style: style2, share: readShare("mix", others["mix"], 0.5) },
  };
}

function checkStyle(style: string): void {
  if (!Object.hasOwn(FILTERS, style)) {
    throw new Refusal(422, "unknown_style", `Unknown style: use one of ${Object.keys(FILTERS).join(", ")}`);
  }
}

function readShare(name: string, text: string | undefined, standard: number): number {
  const share = text === undefined ? standard : Number(text);
  if (!(share >= 0 && share <= 1)) {
    throw new Refusal(400, "bad_parameter", `${name} must be a number from 0 to 1`);
  }
  return share;
}
