// A person's round picture: a letter on a colour of their own, the bot's own sign for the bot.
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
  // Drawn, not written: the name stands beside it.
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
