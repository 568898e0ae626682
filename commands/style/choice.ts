// The menus and forms that choose one of several pictures, and its style or styles.
import type { ArgsOf } from "../../src/core/component-id.ts";
import type { Reply } from "../../src/core/reply.ts";
import { defineComponents, type ChooseAnswerMode } from "../../src/discord/define.ts";
import type { Context, MessageReference } from "../../src/discord/define/context.ts";
import {
  type RestyleArgs,
  restyleArgs,
  restyleTarget,
  sentArgs,
  sentTarget,
} from "../../src/pictures/restyle-args.ts";
import {
  restyleAgain,
  restyleInChosen,
  keepOne,
  updateForOwner,
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

/** The person keeps the picker and can try other styles, while the result is public. */
const besidePicker: ChooseAnswerMode<RestyleArgs> = ({ args }) => (args.isPrivate ? "update" : "public");

const bySender: ChooseAnswerMode<SentArgs> = ({ args, caller }) =>
  updateForOwner({ args: args.restyle, caller });

async function restyleSentPicture(
  context: Context<"restyle" | "personMessages"> & { readonly message?: MessageReference | undefined },
  { restyle, picture }: SentArgs,
  styles: readonly string[],
): Promise<Reply> {
  return restyleInChosen(context, await sentPicture(context, restyle, picture), styles);
}

export default defineComponents({
  needs: ["restyle", "personMessages"],
  selects: {
    pick: {
      args: restyleArgs,
      answers: updateForOwner,
      run: ({ args, chosen, ...context }) => restyleAgain(context, { ...args, style: chosen[0] }),
    },
    first: {
      args: restyleArgs,
      answers: besidePicker,
      run: ({ args, chosen, ...context }) => restyleInChosen(context, shownPicture(context, args), chosen),
    },
    sent: {
      args: sentArgs,
      answers: bySender,
      run: ({ args, chosen, ...context }) => restyleSentPicture(context, args, chosen),
    },
    which: {
      args: sentArgs,
      answers: bySender,
      async run({ args: { restyle, picture }, chosen, ...context }) {
        const wanted = { ...picture, index: Number(chosen[0] ?? 0) };
        return restyle.style === undefined
          ? sentPickerView(wanted, restyle, context.services.restyle.styles)
          : restylePicture(context, await sentPicture(context, restyle, wanted));
      },
    },
    picture: {
      args: restyleArgs,
      answers: updateForOwner,
      run({ args, chosen, ...context }) {
        const choice = parsePictureChoice(chosen[0] ?? "");
        const role = `picture-${choice?.number ?? 0}` as const;
        const isSpoiler = findPicture(context.message.media, role)?.spoiler ?? false;
        return restyleAgain(context, { ...args, isSpoiler, wasAnimated: choice?.wasAnimated ?? false }, role);
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
      answers: updateForOwner,
      run: ({ args, ...context }) => keepOne(context, args),
    },
  },
  modals: {
    sent: {
      args: sentArgs,
      answers: bySender,
      run: ({ args, fields, ...context }) =>
        restyleSentPicture(context, args, [fields["style"]?.[0]?.trim() ?? ""]),
    },
    several: {
      args: restyleArgs,
      answers: besidePicker,
      run: ({ args, fields, ...context }) =>
        restyleInChosen(context, shownPicture(context, args), fields["styles"] ?? []),
    },
    severalSent: {
      args: sentArgs,
      answers: bySender,
      run: ({ args, fields, ...context }) => restyleSentPicture(context, args, fields["styles"] ?? []),
    },
  },
});
