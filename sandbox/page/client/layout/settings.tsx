// How the page looks, and how long the box waits before it asks the bot.
import type { IconName } from "../kit/icon.tsx";
import { Segments } from "../kit/segments.tsx";
import { DEBOUNCES_MS, debounceMs, theme, THEMES } from "../state/settings.ts";

const THEME_WORDS: Readonly<
  Record<(typeof THEMES)[number], { readonly words: string; readonly icon: IconName }>
> = {
  system: { words: "System", icon: "gear" },
  light: { words: "Light", icon: "sun" },
  dark: { words: "Dark", icon: "moon" },
};

export function Settings() {
  return (
    <div class="settings">
      <Segments
        title="Looks"
        chosen={theme.value}
        onChoose={(one) => {
          theme.value = one;
        }}
        choices={THEMES.map((one) => ({ value: one, ...THEME_WORDS[one] }))}
      />
      <Segments
        title="Suggestions after a pause of"
        chosen={debounceMs.value}
        onChoose={(one) => {
          debounceMs.value = one;
        }}
        choices={DEBOUNCES_MS.toSorted((a, b) => Number(a) - Number(b)).map((one) => ({
          value: one,
          words: `${one} ms`,
        }))}
      />
    </div>
  );
}
