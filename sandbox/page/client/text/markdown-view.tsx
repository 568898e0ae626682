// Renders markdown. Text from messages only becomes text nodes, so none of it is parsed as HTML.
import type { ComponentChildren, JSX } from "preact";
import { useComputed } from "@preact/signals";
import { nowMs, second } from "../state/clock.ts";
import { useMemo, useState } from "preact/hooks";
import type { Inline } from "./markdown-inline.ts";
import { parseMarkdown, type Block } from "./markdown.ts";
import { CommandMention, Mention, MessageLink, linkedMessage } from "./mention.tsx";
import { formatTimestamp } from "./timestamp.ts";

export function Markdown({ text }: { readonly text: string }): JSX.Element {
  const blocks = useMemo(() => parseMarkdown(text), [text]);
  return <div class="markdown">{blocks.map(drawBlock)}</div>;
}

function drawBlock(block: Block): JSX.Element {
  switch (block.type) {
    case "heading":
      // Two levels down, below the page's own `h1` and `h2`.
      return (
        <div role="heading" aria-level={block.level + 2} class="heading">
          {drawInline(block.children)}
        </div>
      );
    case "subtext":
      return <p class="subtext">{drawInline(block.children)}</p>;
    case "quote":
      return <blockquote>{drawInline(block.children)}</blockquote>;
    case "codeBlock":
      return (
        <pre
          class="code card"
          tabIndex={0}
          aria-label={block.language === "" ? "Code" : `Code, ${block.language}`}
          role="group"
        >
          <code>{block.text}</code>
        </pre>
      );
    case "list": {
      const items = block.items.map(({ indent, children }) => (
        <li style={{ "--indent": indent }}>{drawInline(children)}</li>
      ));
      return block.start === undefined ? <ul>{items}</ul> : <ol start={block.start}>{items}</ol>;
    }
    case "paragraph":
      return <p>{drawInline(block.children)}</p>;
  }
}

function drawInline(nodes: readonly Inline[]): ComponentChildren {
  return nodes.map(drawNode);
}

function drawLink({ url, children }: Extract<Inline, { readonly type: "link" }>): JSX.Element {
  const place = linkedMessage(url);
  if (place === undefined) {
    return (
      <a href={url} target="_blank" rel="noopener noreferrer">
        {drawInline(children)}
      </a>
    );
  }
  const [only] = children;
  const isBare = only?.type === "text" && only.text === url;
  return <MessageLink place={place}>{isBare ? undefined : drawInline(children)}</MessageLink>;
}

function drawNode(node: Inline): ComponentChildren {
  switch (node.type) {
    case "text":
      return node.text;
    case "code":
      return <code>{node.text}</code>;
    case "link":
      return drawLink(node);
    case "timestamp":
      return <Timestamp seconds={node.seconds} format={node.style} />;
    case "mention":
      return <Mention kind={node.kind} id={node.id} />;
    case "everyone":
      return <span class="mention">@{node.name}</span>;
    case "command":
      return <CommandMention name={node.name} />;
    case "spoiler":
      return <Spoiler>{drawInline(node.children)}</Spoiler>;
    case "strong":
      return <strong>{drawInline(node.children)}</strong>;
    case "emphasis":
      return <em>{drawInline(node.children)}</em>;
    case "underline":
      return <u>{drawInline(node.children)}</u>;
    case "strike":
      return <s>{drawInline(node.children)}</s>;
  }
}

function Spoiler({ children }: { readonly children: ComponentChildren }) {
  const [isShown, setShown] = useState(false);
  return isShown ? (
    <span class="spoiler">{children}</span>
  ) : (
    <button type="button" class="spoiler" aria-label="Show spoiler" onClick={() => setShown(true)}>
      <span inert>{children}</span>
    </button>
  );
}

/** A time in words. Relative times follow the sandbox's clock. `format` is one of Discord's letters. */
function Timestamp({ seconds, format }: { readonly seconds: number; readonly format: string }) {
  const words = useComputed(() => formatTimestamp(seconds, format, format === "R" ? second.value : 0));
  return (
    <time class="timestamp" title={formatTimestamp(seconds, "F", nowMs())}>
      {words}
    </time>
  );
}
