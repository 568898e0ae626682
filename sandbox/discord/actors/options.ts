// Turns a member's input into the options of a command's interaction, and checks it as the client does.
import type { Channel, Command, CommandOption } from "../entities.ts";
import { isFileWanted } from "../file-extensions.ts";
import { OPTION_TYPES } from "../option-types.ts";
import { applicationPermissions, channelPermissions } from "../permissions.ts";
import type { Platform } from "../platform.ts";
import { takeFile } from "../rules/attachments.ts";
import { formatAttachment } from "../serialise/message.ts";
import { formatBareMember, formatChannel, formatRole, formatUser } from "../serialise/people.ts";
import { guildAround } from "../state.ts";
import type { ActorFile, OptionInput, OptionInputs } from "./member-types.ts";

/** The `data.resolved` of an interaction. */
export type Resolved = Partial<
  Record<"users" | "members" | "roles" | "channels" | "attachments", Record<string, object>>
>;

export interface Filling {
  readonly platform: Platform;
  readonly channel: Channel;
  readonly userId: string;
  /** While typing, nothing is checked and files are omitted. */
  readonly isTyping: boolean;
  readonly focused?: string;
}

export interface FilledOption {
  readonly name: string;
  readonly type: number;
  readonly value?: unknown;
  readonly focused?: true;
  readonly options?: readonly FilledOption[];
}

/** Fills in a command's options. `path` names the group and the subcommand. Throws for missing and invalid options. */
export function fillOptions(
  filling: Filling,
  command: Command,
  path: readonly string[],
  inputs: OptionInputs,
): { readonly options: readonly FilledOption[]; readonly resolved: Resolved } {
  const resolved: Resolved = {};
  const options = fillLevel(filling, `/${command.name}`, command.options, path, inputs, resolved);
  return { options, resolved };
}

function fillLevel(
  filling: Filling,
  title: string,
  offered: readonly CommandOption[],
  path: readonly string[],
  inputs: OptionInputs,
  resolved: Resolved,
): FilledOption[] {
  const [next, ...rest] = path;
  const branches = offered.filter(({ type }) => type <= OPTION_TYPES.group);
  if (next !== undefined || branches.length > 0) {
    const branch = branches.find(({ name }) => name === next);
    if (branch === undefined) {
      throw new Error(
        `${title} has no subcommand ${next ?? "(none given)"}: ${branches.map(({ name }) => name).join(", ")}`,
      );
    }
    const below = fillLevel(filling, `${title} ${branch.name}`, branch.options ?? [], rest, inputs, resolved);
    return [{ name: branch.name, type: branch.type, options: below }];
  }
  for (const name of Object.keys(inputs)) {
    if (!offered.some((option) => option.name === name)) {
      throw new Error(`${title} has no option ${name}: ${offered.map((option) => option.name).join(", ")}`);
    }
  }
  return offered.flatMap((option): FilledOption[] => {
    const input = inputs[option.name];
    if (input === undefined) {
      if (option.required && !filling.isTyping) {
        throw new Error(`${title} needs ${option.name}`);
      }
      return [];
    }
    const focus = filling.focused === option.name ? { focused: true as const } : {};
    if (filling.isTyping && isFile(input)) {
      return [];
    }
    const value = filling.isTyping
      ? typedValue(input)
      : fillValue(filling, `${title} ${option.name}`, option, input, resolved);
    return [{ name: option.name, type: option.type, value, ...focus }];
  });
}

/** The value of an option while the user is typing. A chosen channel is sent as its id. */
function typedValue(input: OptionInput): unknown {
  return typeof input === "object" ? idOf(input) : input;
}

function isFile(input: OptionInput): input is ActorFile {
  return typeof input === "object" && "bytes" in input;
}

function fillValue(
  filling: Filling,
  title: string,
  option: CommandOption,
  input: OptionInput,
  resolved: Resolved,
): unknown {
  switch (option.type) {
    case OPTION_TYPES.string:
    case OPTION_TYPES.integer:
    case OPTION_TYPES.number:
      return fillPlain(title, option, input);
    case OPTION_TYPES.boolean:
      if (typeof input !== "boolean") {
        throw new Error(`${title} is true or false`);
      }
      return input;
    case OPTION_TYPES.attachment:
      if (!isFile(input)) {
        throw new Error(`${title} is a file: give { name, bytes }`);
      }
      refuseUnwantedFile(title, input, option["file_types"]);
      return uploadFile(filling, input, resolved);
    default: {
      const id = resolveId(filling, title, idOf(input), TARGETS_OF_OPTION[option.type] ?? [], resolved);
      refuseUnwantedChannel(filling, title, id, option["channel_types"]);
      return id;
    }
  }
}

function idOf(input: OptionInput): string {
  if (typeof input !== "object") {
    return String(input);
  }
  return "id" in input ? input.id : input.name;
}

function fillPlain(title: string, option: CommandOption, input: OptionInput): string | number {
  const wantsText = option.type === OPTION_TYPES.string;
  if (typeof input === "object") {
    throw new Error(`${title} does not take a file`);
  }
  const value = wantsText ? String(input) : Number(input);
  if (!wantsText && !Number.isFinite(value)) {
    throw new Error(`${title} is a number`);
  }
  if (option.type === OPTION_TYPES.integer && !Number.isInteger(value)) {
    throw new Error(`${title} is a whole number`);
  }
  const choices = option.choices ?? [];
  if (choices.length > 0 && !choices.some((choice) => choice.value === value)) {
    throw new Error(`${title} is one of ${choices.map((choice) => choice.value).join(", ")}`);
  }
  const size = typeof value === "string" ? value.length : value;
  const least = Number(option[wantsText ? "min_length" : "min_value"] ?? -Infinity);
  const most = Number(option[wantsText ? "max_length" : "max_value"] ?? Infinity);
  if (size < least || size > most) {
    const bounds = [
      ...(least > -Infinity ? [`at least ${least}`] : []),
      ...(most < Infinity ? [`at most ${most}`] : []),
    ];
    throw new Error(`${title} must be ${bounds.join(" and ")}${wantsText ? " characters long" : ""}`);
  }
  return value;
}

/** Throws if `wanted` does not allow a file. The client checks only its name. */
export function refuseUnwantedFile(title: string, { name }: ActorFile, wanted: unknown): void {
  const types: readonly unknown[] = Array.isArray(wanted) ? wanted : [];
  if (!isFileWanted(name, types)) {
    throw new Error(`${title} takes ${types.join(", ")} only, not ${name}`);
  }
}

/** Throws if a channel is not of a wanted kind: the client does not list it. */
function refuseUnwantedChannel({ platform }: Filling, title: string, id: string, wanted: unknown): void {
  const kinds: readonly unknown[] = Array.isArray(wanted) ? wanted : [];
  const channel = platform.state.channels.get(id);
  if (channel !== undefined && kinds.length > 0 && !kinds.includes(channel.kind)) {
    throw new Error(`${title} does not offer ${channel.name}`);
  }
}

/** Uploads a file with the interaction, as an ephemeral attachment. Returns its id. Throws 40005. */
export function uploadFile(filling: Filling, file: ActorFile, resolved: Resolved): string {
  const attachment = takeFile(filling.platform, filling.channel.id, file, { ephemeral: true });
  (resolved.attachments ??= {})[attachment.id] = formatAttachment(filling.platform, attachment);
  return attachment.id;
}

type TargetKind = "user" | "channel" | "role";

const TARGETS_OF_OPTION: Readonly<Record<number, readonly TargetKind[]>> = {
  [OPTION_TYPES.user]: ["user"],
  [OPTION_TYPES.channel]: ["channel"],
  [OPTION_TYPES.role]: ["role"],
  [OPTION_TYPES.mentionable]: ["user", "role"],
};

/** Resolves an id or a name to the id of one of the `kinds`. Throws if there is none. */
function resolveId(
  filling: Filling,
  title: string,
  wanted: string,
  kinds: readonly TargetKind[],
  resolved: Resolved,
): string {
  const { platform, channel } = filling;
  const { state } = platform;
  const guild = guildAround(state, channel);
  const find = <T extends { readonly id: string }>(
    kind: TargetKind,
    all: Iterable<T>,
    nameOf: (one: T) => string,
  ): T | undefined => {
    const those = kinds.includes(kind) ? [...all] : [];
    return those.find(({ id }) => id === wanted) ?? those.find((one) => nameOf(one) === wanted);
  };
  const user = find("user", state.users.values(), ({ displayName }) => displayName);
  if (user !== undefined) {
    (resolved.users ??= {})[user.id] = formatUser(user);
    const member = guild?.members.get(user.id);
    if (member !== undefined) {
      (resolved.members ??= {})[user.id] = formatBareMember(member);
    }
    return user.id;
  }
  const channels = [...(guild?.channels.values() ?? []), ...(guild?.threads.values() ?? [])];
  const other = find("channel", channels, ({ name }) => name);
  if (other !== undefined) {
    (resolved.channels ??= {})[other.id] = {
      ...formatChannel(platform, other),
      permissions: String(channelPermissions(state, other, filling.userId)),
      app_permissions: String(applicationPermissions(state, other, filling.userId)),
    };
    return other.id;
  }
  const role = find("role", guild?.roles.values() ?? [], ({ name }) => name);
  if (role !== undefined) {
    (resolved.roles ??= {})[role.id] = formatRole(role);
    return role.id;
  }
  throw new Error(`${title}: there is no ${kinds.join(" or ")} ${wanted} here`);
}
