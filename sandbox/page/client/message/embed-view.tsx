// An embed: the older kind of card, beside a coloured line.
import { fieldOf, isSet, numberField, textField } from "../components/fields.ts";
import { lightbox } from "../state/layers.ts";
import { InlineMarkdown, Markdown } from "../text/markdown-view.tsx";
import { Timestamp } from "../text/timestamp-view.tsx";
import { resolveMedia, type Surface } from "../components/surface.ts";
import { Picture } from "./picture.tsx";

interface EmbedProps {
  readonly embed: unknown;
  readonly surface: Surface;
}

export function EmbedView({ embed, surface }: EmbedProps) {
  const colour = numberField(embed, "color");
  const fields: readonly unknown[] = listOf(fieldOf(embed, "fields"));
  const description = textField(embed, "description");
  return (
    <article
      class="embed"
      aria-label={textField(embed, "title") || "Embed"}
      style={colour === undefined ? {} : { "--accent": `#${colour.toString(16).padStart(6, "0")}` }}
    >
      <div class="embed-main stack">
        <Author author={fieldOf(embed, "author")} />
        <Title embed={embed} />
        {description !== "" && <Markdown text={description} />}
        {fields.length > 0 && (
          <div class="embed-fields">
            {fields.map((field, index) => (
              <div key={index} class={isSet(field, "inline") ? "embed-field inline" : "embed-field"}>
                <strong>
                  <InlineMarkdown text={textField(field, "name")} />
                </strong>
                <Markdown text={textField(field, "value")} />
              </div>
            ))}
          </div>
        )}
        <EmbedPicture media={fieldOf(embed, "image")} surface={surface} kind="embed-image" />
        <Footer embed={embed} />
      </div>
      <EmbedPicture media={fieldOf(embed, "thumbnail")} surface={surface} kind="thumbnail" />
    </article>
  );
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function Author({ author }: { readonly author: unknown }) {
  const name = textField(author, "name");
  return name === "" ? null : <p class="embed-author">{name}</p>;
}

function Title({ embed }: { readonly embed: unknown }) {
  const title = textField(embed, "title");
  const url = textField(embed, "url");
  if (title === "") {
    return null;
  }
  return (
    <p class="embed-title">
      {/^https?:\/\//.test(url) ? (
        <a href={url} target="_blank" rel="noopener noreferrer">
          <InlineMarkdown text={title} />
        </a>
      ) : (
        <InlineMarkdown text={title} />
      )}
    </p>
  );
}

function Footer({ embed }: { readonly embed: unknown }) {
  const text = textField(fieldOf(embed, "footer"), "text");
  const at = Date.parse(textField(embed, "timestamp"));
  return text === "" && Number.isNaN(at) ? null : (
    <p class="subtext">
      {text}
      {text !== "" && !Number.isNaN(at) && " • "}
      {!Number.isNaN(at) && <Timestamp seconds={at / 1000} format="s" class="" />}
    </p>
  );
}

function EmbedPicture({
  media,
  surface,
  kind,
}: {
  readonly media: unknown;
  readonly surface: Surface;
  readonly kind: string;
}) {
  const { url, attachment } = resolveMedia(media, surface);
  const description = attachment?.description ?? "";
  return url === "" ? null : (
    <div class={kind}>
      <Picture
        url={url}
        description={description}
        onOpen={() => {
          lightbox.value = { items: [{ url, description, isFilm: false }], index: 0 };
        }}
      />
    </div>
  );
}
