// Suggests values for the option that a person is typing. The answer is suggestions or an empty list, never an error,
// which nobody would see.
import { InteractionResponseType } from "discord.js";
import { type Clock, waitAtMost } from "../../core/clock.ts";
import type { Log } from "../../core/log.ts";
import type { AnswerOutcome, Meter } from "../../core/meter.ts";
import { CHOICES_LIMIT } from "../../core/reply.ts";
import { cutLine } from "../../core/text.ts";
import type { Admission } from "../admission.ts";
import { CHOICE_LIMIT } from "../components.ts";
import type { Services } from "../define/context.ts";
import type { Suggestion, Suggestions } from "../define/options.ts";
import type { InteractionApi } from "../interaction-api.ts";
import { type CompletionInteraction, askerOf, callerOf } from "../interaction.ts";
import type { RecentChoices } from "../recent-choices.ts";
import type { Registry } from "../registry.ts";
import { readCommandData } from "./find-task.ts";

export interface AutocompleteDependencies {
  readonly registry: Registry;
  readonly services: Services;
  readonly api: InteractionApi;
  readonly admission: Pick<Admission, "refusal">;
  readonly recent: Pick<RecentChoices, "of" | "note">;
  readonly clock: Clock;
  readonly log: Log;
  readonly meter: Meter;
}

/** Discord accepts an answer for 3 s, but by then the person has typed more. */
const SUGGESTIONS_TIMEOUT_MS = 2_000;

/** Never rejects. */
export async function complete(
  interaction: CompletionInteraction,
  deps: AutocompleteDependencies,
): Promise<void> {
  const { api, admission, log, meter } = deps;
  let outcome: AnswerOutcome = "answered";
  try {
    const isRefused = admission.refusal(interaction) !== undefined;
    outcome = isRefused ? "refused" : "answered";
    const suggesting = isRefused ? Promise.resolve([]) : suggest(interaction, deps);
    const suggestions = await suggesting.catch((error: unknown) => {
      outcome = "failed";
      log.error({ error, command: interaction.data.name }, "autocomplete failed");
      return [];
    });
    await api.callback(interaction, InteractionResponseType.ApplicationCommandAutocompleteResult, {
      choices: formatChoices(suggestions),
    });
  } catch (error) {
    outcome = "failed";
    log.warn({ error, command: interaction.data.name }, "suggestions not sent");
  }
  // Typing causes several requests a second, so they are counted, and only failures are logged.
  meter.count("completions_total", { outcome });
}

async function suggest(
  interaction: CompletionInteraction,
  { registry, services, recent: recentChoices, clock }: AutocompleteDependencies,
): Promise<Suggestions> {
  const { data, channel_id: channelId } = interaction;
  const { path, options } = readCommandData(data);
  const focused = options.find((option) => option.focused);
  const definition = registry.slash(path)?.definition.options?.[focused?.name ?? ""];
  if (definition?.type !== "string" || !definition.autocomplete) {
    return [];
  }
  const typed = Object.fromEntries(options.map(({ name, value }) => [name, String(value ?? "")]));
  const text = String(focused?.value ?? "");
  const { recall } = definition;
  const recent = recall === undefined ? [] : await recentChoices.of(callerOf(interaction).id, recall.kind);
  const where = { guildId: askerOf(interaction).guildId, channelId };
  const asked = definition.autocomplete({ text, typed, where, recent, services });
  return asked instanceof Promise ? waitAtMost(clock, SUGGESTIONS_TIMEOUT_MS, asked, []) : asked;
}

/** A value that is too long is left out, because a shortened one would mean something else. */
function formatChoices(suggestions: Suggestions): readonly Suggestion[] {
  return suggestions
    .map((each) => (typeof each === "string" ? { name: each, value: each } : each))
    .filter(({ value }) => value !== "" && value.length <= CHOICE_LIMIT)
    .slice(0, CHOICES_LIMIT)
    .map(({ name, value }) => ({ name: cutLine(name, CHOICE_LIMIT) || value, value }));
}
