// One picture that was sent to be restyled, with what came back.
import type { StyleOrder } from "../../../../control/api/services.ts";
import { Icon } from "../../kit/icon.tsx";
import { lightbox } from "../../state/layers.ts";
import { formatSize } from "../../text/size.ts";
import { Status } from "../parts/status.tsx";
import { formatTime } from "../parts/words.ts";

export function StyleOrderCard({ order }: { readonly order: StyleOrder }) {
  const { style, fields, picture, fault } = order;
  return (
    <li class="order">
      <Result order={order} />
      <div class="order-words stack">
        <p class="order-head">
          <strong>{style}</strong>
          <Status status={order.status} tookMs={order.tookMs} />
        </p>
        <p class="subtext">
          {picture.name}
          {picture.width !== null &&
            picture.height !== null &&
            `, ${picture.width} × ${picture.height}`},{" "}
          {picture.type ?? "no picture"}, {formatSize(picture.sizeBytes)}
        </p>
        <ul class="marks">
          {Object.entries(fields).map(([name, value]) => (
            <li key={name}>
              {name} <strong>{value}</strong>
            </li>
          ))}
          {picture.hasMetadata && <li class="warning">with metadata</li>}
          {fault !== null && <li class="warning">met {fault}</li>}
        </ul>
        <time class="call-time soft">{formatTime(order.atMs)}</time>
      </div>
    </li>
  );
}

function Result({ order: { resultUrl, style, picture } }: { readonly order: StyleOrder }) {
  if (resultUrl === null) {
    return (
      <span class="order-picture none">
        <Icon name="picture" />
        <span class="hidden">No result to show</span>
      </span>
    );
  }
  const description = `${picture.name} in the style ${style}`;
  return (
    <button
      type="button"
      class="order-picture"
      aria-label={`Show ${description}`}
      onClick={() => {
        lightbox.value = { items: [{ url: resultUrl, description, isFilm: false }], index: 0 };
      }}
    >
      <img src={resultUrl} alt="" loading="lazy" />
    </button>
  );
}
