// A round picture of a person: their first letter on a colour from their name, or the logo for the bot.
import sign from "../icon.svg";

interface AvatarProps {
  readonly name: string;
  readonly isBot: boolean;
  readonly size?: "tiny" | "small" | "middle";
}

export function Avatar({ name, isBot, size = "middle" }: AvatarProps) {
  if (isBot) {
    return <img class={`avatar ${size}`} src={sign} alt="" width="40" height="40" />;
  }
  // The letter comes from the styles and is no text, because the full name is shown beside it.
  const hue = name.split("").reduce((sum, letter) => sum + letter.charCodeAt(0), 0) * 47;
  return (
    <span
      class={`avatar ${size}`}
      style={{ "--hue": hue }}
      data-letters={name.slice(0, 1)}
      aria-hidden="true"
    />
  );
}
