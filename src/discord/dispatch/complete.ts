// Autocomplete: a list of suggestions, or an empty one. Never an error, nobody could see it.
import { InteractionResponseType } from "discord.js";
import type { Clock } from "../../core/clock.ts";
import type { Log } from "../../core/log.ts";
import type { Services } from "../define/services.ts";
import { cutLine } from "../../core/cut-text.ts";
import type { Suggestion } from "../define/options.ts";
import type { CompletionInteraction } from "../interaction.ts";
import type { InteractionApi } from "../interaction-api.ts";
import type { Registry } from "../registry.ts";
import { findSubcommand } from "./read-options.ts";

const CHOICES_LIMIT = 25;
const CHOICE_LIMIT = 100;
/** Discord takes an answer for 3 s; a person has typed on long before. */
const PATIENCE_MS = 2_000;

/** Answers what to suggest for the option a person is typing in. Never rejects. */
export async function complete(
  interaction: CompletionInteraction,
  deps: {
    readonly registry: Registry;
    readonly services: Services;
    readonly api: InteractionApi;
    readonly clock: Clock;
    readonly log: Log;
  },
): Promise<void> {
  const { api, log } = deps;
  try {
    const suggestions = await suggest(interaction, deps).catch((error: unknown) => {
      log.error({ error, command: interaction.data.name }, "autocomplete failed");
      return [];
    });
    await api.callback(interaction, InteractionResponseType.ApplicationCommandAutocompleteResult, {
      choices: formatChoices(suggestions),
    });
  } catch (error) {
    log.warn({ error, command: interaction.data.name }, "suggestions could not be sent");
  }
}

async function suggest(
  { data, guild_id: guildId, channel_id: channelId }: CompletionInteraction,
  { registry, services, clock }: { registry: Registry; services: Services; clock: Clock },
): Promise<readonly Suggestion[]> {
  const { subcommand, options } = findSubcommand(data.options ?? []);
  const focused = options.find((option) => option.focused);
  const definition = registry.slash(data.name, subcommand)?.definition.options?.[focused?.name ?? ""];
  if (definition?.type !== "string" || !definition.autocomplete) {
    return [];
  }
  const typed = Object.fromEntries(options.map(({ name, value }) => [name, String(value ?? "")]));
  const text = String(focused?.value ?? "");
  const asked = definition.autocomplete({ text, typed, where: { guildId, channelId }, services });
  if (!(asked instanceof Promise)) {
    return asked;
  }
  let cancel: (() => void) | undefined;
  const late = new Promise<readonly Suggestion[]>((resolve) => {
    cancel = clock.after(PATIENCE_MS, () => resolve([]));
  });
  return Promise.race([asked, late]).finally(() => cancel?.());
}

/** Holds suggestions to Discord's limits. A value cannot be cut: it would mean something else. */
function formatChoices(suggestions: readonly Suggestion[]): readonly Suggestion[] {
  return suggestions
    .filter(({ value }) => value !== "" && value.length <= CHOICE_LIMIT)
    .slice(0, CHOICES_LIMIT)
    .map(({ name, value }) => ({ name: cutLine(name, CHOICE_LIMIT) || value, value }));
}
