// Publishing, put together: what people do with publications. What the bot does with them is the runner's.
import type { Publication, Publish } from "./publish.ts";
import { createAlterPublication, mustGet } from "./alter-publication.ts";
import { createChangePublication } from "./change-publication.ts";
import { createDecidePublication } from "./decide-publication.ts";
import { createDraftPublication } from "./draft-publication.ts";
import type { PublishDependencies } from "./publish-dependencies.ts";
import { createReadPublication } from "./read-publication.ts";
import { createServersOf } from "./servers-of.ts";
import { createSettlePublication } from "./settle-publication.ts";

/** Whoever has pressed waits no longer for the way to the message: its channel is known all the same. */
const SHOWN_WITHIN_MS = 1_000;

/** Makes the service. */
export function createPublish(deps: PublishDependencies): Publish {
  const { publications } = deps;
  const parts = { ...deps, alter: createAlterPublication(deps) };
  const read = createReadPublication(deps);
  const draft = createDraftPublication(deps);
  const decide = createDecidePublication(parts);
  const change = createChangePublication(parts);
  const person = createSettlePublication(parts);

  async function find(id: string): Promise<Publication | undefined> {
    const record = await publications.get(id);
    return record && read(record);
  }

  async function shown(id: string): Promise<Publication> {
    const isShown = deps.runner.shown(id, SHOWN_WITHIN_MS);
    const { messageId } = await mustGet(publications, id);
    if (messageId === undefined) {
      await isShown;
    }
    return read(await mustGet(publications, id));
  }

  return {
    draft: async (order) => read(await draft(order)),
    find,
    shown,
    async get(guildId, id) {
      const publication = await find(id);
      return publication?.guildId === guildId ? publication : undefined;
    },
    edit: async (id, texts, by) => read(await change.edit(id, texts, by)),
    submit: async (id, by) => read(await decide.submit(id, by)),
    approve: async (id, by, seenAtMs) => read(await decide.approve(id, by, seenAtMs)),
    refuse: async (id, reason, by) => read(await decide.refuse(id, reason, by)),
    cancel: async (id, by) => read(await change.cancel(id, by)),
    retry: async (id, by) => read(await decide.retry(id, by)),
    candidates: (id) => person.candidates(id),
    settle: async (id, outcome, by) => read(await person.settle(id, outcome, by)),
    serversOf: createServersOf(deps),
  };
}
