// A person's round picture: a letter on a colour of their own, the bot's own sign for the bot.
import sign from "../icon.svg";

const COLOURS = 8;

/** A class for somebody's own colour: always the same, and another for most others. */
export function colourOf(id: string): string {
  const sum = id.split("").reduce((all, digit) => (all * 37 + digit.charCodeAt(0)) % 65_521, 7);
  return `colour-${sum % COLOURS}`;
}

interface AvatarProps {
  readonly id: string;
  readonly name: string;
  readonly isBot: boolean;
  readonly size?: "small" | "middle" | "large";
}

export function Avatar({ id, name, isBot, size = "middle" }: AvatarProps) {
  if (isBot) {
    return <img class={`avatar ${size}`} src={sign} alt="" width="40" height="40" />;
  }
  // Drawn, not written: the name stands beside it.
  return <span class={`avatar ${size} ${colourOf(id)}`} data-letters={name.slice(0, 1)} aria-hidden="true" />;
}
