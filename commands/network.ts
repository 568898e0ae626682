import { UserError } from "../src/core/errors.ts";
import { defineCommand, defineButton } from "../src/discord/define.ts";
import type { Context, Services } from "../src/discord/define/context.ts";
import { liveStationOption } from "../src/rail/station-options.ts";
import {
  MODE_WORDS,
  type NetworkArgs,
  lineKey,
  networkArgs,
  networkLineView,
  networkView,
} from "../src/travel/network-view.ts";
import { OPERATOR_LIMIT, findOperator } from "../src/rail/operators.ts";
import { watchDisruptionsButton } from "../src/watches/watch-args.ts";

const NEEDS = ["network", "stations"] as const;

async function showNetwork(
  { network, stations }: Pick<Services, (typeof NEEDS)[number]>,
  { skip, near, ...filters }: NetworkArgs,
) {
  const question = { ...filters, near: near === undefined ? undefined : stations.live.resolve(near) };
  const state = await network.state(question);
  const operator = question.operator && findOperator(question.operator)?.name;
  const isWatchable =
    state.isReported && near === undefined && (operator !== undefined || !question.operator);
  return networkView(state, question, skip, isWatchable ? watchDisruptionsButton(operator) : undefined);
}

const show = defineButton(networkArgs, ({ services }: Context<(typeof NEEDS)[number]>, args) =>
  showNetwork(services, args),
);

const MODES_OFFERED = ["train", "tube", "tram", "bus", "ferry"] as const;

export default defineCommand({
  description: "See which trains, tubes, trams, buses and ferries are disrupted now",
  needs: NEEDS,
  options: {
    operator: {
      type: "string",
      description: "Only this operator or line, e.g. Northern or Victoria",
      maxLength: OPERATOR_LIMIT,
      autocomplete: ({ text, services }) => services.network.suggest(text),
    },
    mode: {
      type: "string",
      description: "Only this kind of transport (default: all but buses)",
      choices: MODES_OFFERED.map((value) => ({ name: MODE_WORDS[value].many, value })),
    },
    near: { ...liveStationOption, description: "Only disruption at or near this station" },
  },
  run: ({ options: { operator, mode, near }, services }) =>
    showNetwork(services, { skip: 0, operator: operator?.trim() || undefined, mode, near }),
  buttons: { refresh: show, back: show, more: show, mode: show },
  selects: {
    details: {
      answers: "private",
      async run({ chosen, services }) {
        const [all, buses] = await Promise.all([
          services.network.state({}),
          services.network.state({ mode: "bus" }),
        ]);
        const line = [...all.lines, ...buses.lines].find((one) => lineKey(one) === chosen[0]);
        if (!line) {
          throw new UserError("That disruption is over, or no longer reported. Use `/network` again.");
        }
        return networkLineView(line, all);
      },
    },
  },
});
