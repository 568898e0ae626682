// The choice of a picture, where a message holds several, and of its style or styles.
import type { ArgsOf } from "../../src/core/component-args.ts";
import type { Reply } from "../../src/core/reply.ts";
import { defineComponents } from "../../src/discord/define.ts";
import type { ChooseAnswerMode } from "../../src/discord/define/components.ts";
import type { Context, MessageReference } from "../../src/discord/define/context.ts";
import {
  type RestyleArgs,
  restyleArgs,
  restyleTarget,
  sentArgs,
  sentTarget,
} from "../../src/pictures/restyle-args.ts";
import {
  again,
  inChosen,
  keepOne,
  ownersChange,
  restylePicture,
  sentPicture,
  shownPicture,
} from "../../src/pictures/restyle-command.ts";
import {
  compareForm,
  findPicture,
  parsePictureChoice,
  sentPickerView,
  styleWordForm,
} from "../../src/pictures/style-picker-view.ts";

type SentArgs = ArgsOf<typeof sentArgs>;

/** The picker stays with the person, who may try other styles; the result is for everybody. */
const besidePicker: ChooseAnswerMode<RestyleArgs> = ({ args }) => (args.isPrivate ? "update" : "reply");

const bySender: ChooseAnswerMode<SentArgs> = ({ args, caller }) => ownersChange({ args: args.wish, caller });

async function ofSent(
  context: Context<"restyle" | "personMessages"> & { readonly message?: MessageReference | undefined },
  { wish, picture }: SentArgs,
  styles: readonly string[],
): Promise<Reply> {
  return inChosen(context, await sentPicture(context, wish, picture), styles);
}

export default defineComponents({
  needs: ["restyle", "personMessages"],
  selects: {
    pick: {
      args: restyleArgs,
      answers: ownersChange,
      run: ({ args, chosen, ...context }) => again(context, { ...args, style: chosen[0] }),
    },
    first: {
      args: restyleArgs,
      answers: besidePicker,
      run: ({ args, chosen, ...context }) => inChosen(context, shownPicture(context, args), chosen),
    },
    sent: {
      args: sentArgs,
      answers: bySender,
      run: ({ args, chosen, ...context }) => ofSent(context, args, chosen),
    },
    which: {
      args: sentArgs,
      answers: bySender,
      async run({ args: { wish, picture }, chosen, ...context }) {
        const wanted = { ...picture, index: Number(chosen[0] ?? 0) };
        return wish.style === undefined
          ? sentPickerView(wanted, wish, context.services.restyle.styles)
          : restylePicture(context, await sentPicture(context, wish, wanted));
      },
    },
    picture: {
      args: restyleArgs,
      answers: ownersChange,
      run({ args, chosen, ...context }) {
        const choice = parsePictureChoice(chosen[0] ?? "");
        const role = `picture-${choice?.number ?? 0}` as const;
        const isSpoiler = findPicture(context.message.media, role)?.spoiler ?? false;
        return again(context, { ...args, isSpoiler, wasAnimated: choice?.wasAnimated ?? false }, role);
      },
    },
  },
  buttons: {
    sent: {
      args: sentArgs,
      run: ({ args, services }) => styleWordForm(services.restyle.styles, sentTarget("sent", args)),
    },
    several: {
      args: restyleArgs,
      run: ({ args, services }) => compareForm(services.restyle.styles, restyleTarget("several", args)),
    },
    severalSent: {
      args: sentArgs,
      run: ({ args, services }) => compareForm(services.restyle.styles, sentTarget("severalSent", args)),
    },
    keep: {
      args: restyleArgs,
      answers: ownersChange,
      run: ({ args, ...context }) => keepOne(context, args),
    },
  },
  modals: {
    sent: {
      args: sentArgs,
      answers: bySender,
      run: ({ args, fields, ...context }) => ofSent(context, args, [fields["style"]?.[0]?.trim() ?? ""]),
    },
    several: {
      args: restyleArgs,
      answers: besidePicker,
      run: ({ args, fields, ...context }) =>
        inChosen(context, shownPicture(context, args), fields["styles"] ?? []),
    },
    severalSent: {
      args: sentArgs,
      answers: bySender,
      run: ({ args, fields, ...context }) => ofSent(context, args, fields["styles"] ?? []),
    },
  },
});
