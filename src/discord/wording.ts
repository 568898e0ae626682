// Finishes the texts that members read: turns commands into links, and gives services the names that the operator
// chose. Texts write a command as `/board list` in code, and a service as "the style service". `escapeMarkdown`
// prevents both in text that people wrote.
import type { ServiceNames } from "../core/config.ts";
import { type Block, type ContentBlock, type Modal, type Reply, escapeMarkdown } from "../core/reply.ts";
import type { CommandDirectory, CommandIds } from "./directory.ts";
import { TEXT_LIMIT, textsOf } from "./reply.ts";

/** A command in code. Code between more than one backtick stays unchanged. */
const COMMAND = /(`{2,})[^]*?\1|(?<![\\`])`\/([a-z]+(?: [a-z]+){0,2})`(?!`)/g;
const SERVICE = /\b([Tt])he (style|video|train data) service\b/g;

/** `ids` may be filled in later. */
export function createWording(deps: {
  readonly directory: CommandDirectory;
  readonly ids: CommandIds;
  readonly names: ServiceNames;
}) {
  const { directory, ids, names } = deps;

  function linkCommands(text: string): string {
    return text.includes("`/")
      ? text.replace(COMMAND, (written, _ticks, name: string | undefined) => {
          const command = name === undefined ? undefined : directory.slash(name);
          const id = command && ids.all().get(command.command);
          return id === undefined ? written : `</${name}:${id}>`;
        })
      : text;
  }

  function nameServices(text: string, write: (name: string) => string = String): string {
    return text.replace(SERVICE, (written, the: string, service: keyof ServiceNames) => {
      const name = names[service];
      return name === undefined ? written : write(the === "T" ? startSentence(name) : name);
    });
  }

  return {
    /** Finishes a reply. If the links do not fit in a message, its commands stay as written. */
    reply(reply: Reply): Reply {
      const blocks = reply.blocks.map((block) =>
        mapTexts(block, (text) => nameServices(text, escapeMarkdown)),
      );
      const linked = blocks.map((block) => mapTexts(block, linkCommands));
      const length = linked.flatMap(textsOf).reduce((sum, text) => sum + text.length, 0);
      return { ...reply, blocks: length > TEXT_LIMIT ? blocks : linked };
    },
    /** Finishes a form. Forms do not render Markdown, so commands do not become links. */
    modal(modal: Modal): Modal {
      const fields = modal.fields.map((field) => ({
        ...field,
        label: nameServices(field.label),
        ...(field.description !== undefined && { description: nameServices(field.description) }),
      }));
      return { ...modal, fields };
    },
  };
}

/** Capitalises a name at the start of a sentence, but not `iPaint`. */
function startSentence(name: string): string {
  return name.replace(/^\p{Ll}+(?!\p{L})/u, (word) => word.charAt(0).toUpperCase() + word.slice(1));
}

function mapTexts(block: Block, change: (text: string) => string): Block {
  return block.type === "container"
    ? { ...block, blocks: block.blocks.map((inner) => mapContent(inner, change)) }
    : mapContent(block, change);
}

function mapContent(block: ContentBlock, change: (text: string) => string): ContentBlock {
  if (block.type === "text") {
    return { ...block, text: change(block.text) };
  }
  return block.type === "section" ? { ...block, texts: block.texts.map(change) } : block;
}
