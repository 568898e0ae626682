// Has the service restyle a prepared picture, and blends here what the service has no parameter for.
import type { StyleClient } from "./client/style-client.ts";
import { ServiceError } from "../core/errors.ts";
import type { Picture } from "../render/pictures.ts";
import type { PictureTools, FittedPicture } from "../render/picture-tools.ts";
import type { Catalogue } from "./catalogue.ts";
import { asUserError, asServiceError } from "./explain-picture.ts";
import { throwIfAborted } from "./queue.ts";
import type { AppliedBy, RestyleProgress, StyleChoice } from "./restyle.ts";

type Parameters = Readonly<Record<string, string>>;

/** The factors by which a picture is shrunk if the service finds it too large. */
const SMALLER = { bytes: 0.5, side: 0.7 };

/**
 * The returned function throws ServiceErrors of `style`. Its signal stops calls to the service, but not the work on a
 * result that has arrived.
 */
export function createApplyStyle(deps: {
  readonly style: Pick<StyleClient, "process">;
  readonly catalogue: Catalogue;
  readonly tools: PictureTools;
}) {
  const { style: client, catalogue, tools } = deps;
  const { intensity: intensityParameter, mix } = catalogue;

  return async (
    before: Picture,
    { style, blend, intensity }: StyleChoice,
    {
      signal,
      onProgress,
      maxBytes,
    }: {
      readonly signal: AbortSignal;
      readonly onProgress: (state: RestyleProgress) => void;
      /** The most bytes that the result may have; `undefined` for any size. A blended result may exceed it. */
      readonly maxBytes?: number;
    },
  ) => {
    const strength = intensity / 100;
    const strengthField = intensityParameter && field(intensityParameter, strength);
    const asksTwice = blend !== undefined && mix === undefined;
    const parts = asksTwice ? 2 : 1;
    const blendsStrength = intensity < 100 && intensityParameter === undefined;
    const mayBlend = asksTwice || blendsStrength || before.contentType !== "image/jpeg";
    let sent = before;
    let isFitted = false;

    async function finish(work: Promise<FittedPicture>): Promise<Picture> {
      const { wasReduced, ...picture } = await asServiceError(work);
      isFitted ||= wasReduced;
      return picture;
    }

    async function ask(id: string, part: number, parameters: Parameters): Promise<Picture> {
      const tell = (share?: number, position?: number) =>
        onProgress({ stage: "restyling", part, parts, share, position });
      const send = async (): Promise<Uint8Array> => {
        throwIfAborted(signal);
        return client.process({
          image: sent,
          style: id,
          parameters: { ...strengthField, ...parameters },
          signal,
          onWorking: ({ share, position }) => tell(share, position),
        });
      };
      tell();
      let bytes: Uint8Array;
      try {
        bytes = await send();
      } catch (error) {
        // 413 is about the picture that was sent. Otherwise the result is too large, and may have been paid for.
        if (!(error instanceof ServiceError && error.kind === "too-large" && error.status === 413)) {
          throw error;
        }
        sent = await asUserError(shrink(sent, tools));
        bytes = await send();
      }
      // A result that is not blended is encoded only once, within its final limit.
      return finish(tools.fit(bytes, mayBlend ? undefined : maxBytes));
    }

    let picture: Picture;
    if (blend === undefined) {
      picture = await ask(style.id, 1, {});
    } else if (mix) {
      picture = await ask(style.id, 1, { [mix.style]: blend.id, ...(mix.share && field(mix.share, 0.5)) });
    } else {
      const one = await ask(style.id, 1, {});
      const other = await ask(blend.id, 2, {});
      picture = await finish(tools.blend(one.bytes, other.bytes, 0.5));
    }
    // Most services fill transparent parts with white. Only a prepared picture with transparent parts is not a JPEG.
    const keepsAlpha = before.contentType !== "image/jpeg" && picture.contentType === "image/jpeg";
    if (blendsStrength || keepsAlpha) {
      const opacity = blendsStrength ? strength : 1;
      picture = await finish(tools.blend(before.bytes, picture.bytes, opacity, keepsAlpha));
    }
    /** `undefined` for the full effect. */
    const intensityBy: AppliedBy | undefined =
      intensity === 100 ? undefined : blendsStrength ? "bot" : "service";
    /** `undefined` for a single style. */
    const blendBy: AppliedBy | undefined = blend && (asksTwice ? "bot" : "service");
    return {
      picture,
      intensityBy,
      blendBy,
      /** The picture was larger than the service accepts. */
      wasReduced: sent !== before,
      /** The result was made smaller, to stay within `maxBytes` or because a blend may not have more pixels. */
      isFitted,
    };
  };
}

export type ApplyStyle = ReturnType<typeof createApplyStyle>;
export type StyledPicture = Awaited<ReturnType<ApplyStyle>>;

/** A share of 0 to 1, on the scale of the service's parameter. */
function field(
  { name, none, full }: { readonly name: string; readonly none: number; readonly full: number },
  share: number,
): Parameters {
  return { [name]: String(Number((none + (full - none) * share).toFixed(4))) };
}

function shrink({ bytes, width, height }: Picture, tools: PictureTools): Promise<Picture> {
  return tools.prepare(bytes, {
    maxBytes: Math.max(1_024, Math.floor(bytes.byteLength * SMALLER.bytes)),
    maxSide: Math.ceil(Math.max(width, height) * SMALLER.side),
  });
}
