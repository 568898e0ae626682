// One picture that was sent to be restyled, with what came back.
import type { StyleOrder } from "../../../../control/api/services.ts";
import { MediaView } from "../../message/picture.tsx";
import { formatSize } from "../../text/size.ts";
import { Status } from "../parts/status.tsx";
import { formatTime } from "../parts/words.ts";

export function StyleOrderCard({ order }: { readonly order: StyleOrder }) {
  const { style, fields, picture, fault, resultUrl } = order;
  const size = picture.width === null ? "" : `, ${picture.width} × ${picture.height}`;
  const marks = [
    ...Object.entries(fields).map(([name, value]) => `${name} ${value}`),
    ...(picture.hasMetadata ? ["with metadata"] : []),
    ...(fault === null ? [] : [`met ${fault}`]),
  ];
  return (
    <li class="order row">
      <div class="order-picture">
        {resultUrl !== null && (
          <MediaView
            url={resultUrl}
            description={`${picture.name} in the style ${style}`}
            isFilm={false}
            isSpoiler={false}
          />
        )}
      </div>
      <div class="stack rest">
        <p class="row">
          <strong class="rest">{style}</strong>
          <Status status={order.status} tookMs={order.tookMs} />
        </p>
        <p class="subtext">
          {picture.name}
          {size}, {picture.type ?? "no picture"}, {formatSize(picture.sizeBytes)}
        </p>
        <p class="subtext">{marks.join(", ")}</p>
        <time class="mono soft">{formatTime(order.atMs)}</time>
      </div>
    </li>
  );
}
