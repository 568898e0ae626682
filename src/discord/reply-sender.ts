// Finishes the wording of replies, formats them, and leaves out files that Discord refuses.
import type { ServiceNames } from "../core/config.ts";
import type { Log } from "../core/log.ts";
import { MessengerError } from "../core/ports.ts";
import { type Modal, type Reply, type Block, type ContentBlock, escapeMarkdown } from "../core/reply.ts";
import type { CommandDirectory, CommandIds } from "./directory.ts";
import { isFileRefusal } from "./interaction-api.ts";
import { formatModal, type OutgoingMessage, formatReply, TEXT_LIMIT, textsOf } from "./reply.ts";

export type ReplySender = ReturnType<typeof createReplySender>;

export function createReplySender(deps: {
  readonly directory: CommandDirectory;
  readonly ids: CommandIds;
  readonly names: ServiceNames;
  readonly log: Log;
}) {
  const { ids, log } = deps;
  const wording = createWording(deps);
  /** The messages of replies without files, e.g. /help's. They stay the same until the id of a command changes. */
  const known = new WeakMap<Reply, { readonly message: OutgoingMessage; readonly ids: unknown }>();

  function format(reply: Reply, fileLimitBytes: number): OutgoingMessage {
    const before = known.get(reply);
    if (before?.ids === ids.all()) {
      return before.message;
    }
    const message = formatReply(wording.reply(reply), fileLimitBytes);
    if (message.refused.length > 0) {
      log.error({ refused: message.refused }, "parts of a message refused");
    }
    if ((reply.files ?? []).length === 0) {
      known.set(reply, { message, ids: ids.all() });
    }
    return message;
  }

  return {
    format,
    form: (modal: Modal) => formatModal(wording.modal(modal)),
    /** If Discord refuses only the files, e.g. because a server's uploads are restricted, sends it without them. */
    async send<T>(
      reply: Reply,
      fileLimitBytes: number,
      send: (message: OutgoingMessage) => Promise<T>,
    ): Promise<T> {
      const message = format(reply, fileLimitBytes);
      try {
        return await send(message);
      } catch (error) {
        const cause = error instanceof MessengerError ? error.cause : error;
        if (message.files.length === 0 || !isFileRefusal(cause)) {
          throw error;
        }
        log.warn({ error }, "files refused, message sent without them");
        return send(format(reply, 0));
      }
    },
  };
}

// Turns commands into links, and gives services the names that the operator chose. Texts write a command as `/board list`
// in code, and a service as "the style service". `escapeMarkdown` prevents both in text that people wrote.

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
