import type { Media, Services, Where } from "./context.ts";

/** A request for suggestions: the text so far, and the other options as typed so far, not validated. */
export interface AutocompleteRequest<N extends keyof Services> {
  readonly text: string;
  readonly typed: Readonly<Record<string, string>>;
  readonly where: Where;
  /** This person's recent choices for options of this kind, the latest first. */
  readonly recent: readonly string[];
  readonly services: Pick<Services, N>;
}

export interface Suggestion {
  readonly name: string;
  readonly value: string;
}

/** A plain string is both name and value. */
export type Suggestions = readonly (Suggestion | string)[];

/** `thread`: any thread, including private ones and those of announcement channels. */
export type ChannelType = "text" | "announcement" | "thread";

export type Option<N extends keyof Services = never> = {
  /** 1 to 100 characters. */
  readonly description: string;
  readonly required?: boolean;
} & (
  | {
      readonly type: "string";
      readonly choices?: readonly Suggestion[];
      /** At most 25 are sent. People can also type something else, so `run` must validate the text. */
      readonly autocomplete?: (asked: AutocompleteRequest<N>) => Suggestions | Promise<Suggestions>;
      /** How a choice is remembered for the person: under which kind, and which value, `undefined` for none. */
      readonly recall?: {
        readonly kind: string;
        readonly valueOf: (typed: {
          readonly text: string;
          readonly services: Pick<Services, N>;
        }) => string | undefined;
      };
      readonly minLength?: number;
      readonly maxLength?: number;
    }
  | { readonly type: "integer" | "number"; readonly min?: number; readonly max?: number }
  | { readonly type: "boolean" | "role" }
  | {
      readonly type: "attachment";
      /** `image`, `video`, `audio` or an extension with its dot. Only Discord's client checks it, and only by name. */
      readonly fileTypes?: readonly string[];
    }
  | {
      readonly type: "channel";
      /** The types of channels that the client offers. Default: all. */
      readonly channelTypes?: readonly ChannelType[];
    }
);

export type Options<N extends keyof Services = never> = Readonly<Record<string, Option<N>>>;

interface ValueByType {
  readonly string: string;
  readonly integer: number;
  readonly number: number;
  readonly boolean: boolean;
  readonly attachment: Media;
  readonly role: { readonly id: string; readonly name: string };
  readonly channel: { readonly id: string; readonly name: string | undefined };
}

type ValueOf<O> = O extends { readonly choices: readonly { readonly value: infer V }[] }
  ? V
  : O extends { readonly type: infer T extends keyof ValueByType }
    ? ValueByType[T]
    : never;

/** The values of a set of options: required drops `undefined`, choices become a union. */
export type Values<O> = {
  readonly [K in keyof O]: O[K] extends { readonly required: true }
    ? ValueOf<O[K]>
    : ValueOf<O[K]> | undefined;
};
