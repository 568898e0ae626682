// What was said, as JSON to read and to copy.
import { useMemo } from "preact/hooks";
import { formatSize } from "../../text/size.ts";
import { CopyButton } from "./copy-button.tsx";

export function JsonView({ title, value }: { readonly title: string; readonly value: unknown }) {
  const text = useMemo(() => (typeof value === "string" ? value : JSON.stringify(value, null, 2)), [value]);
  return (
    <section aria-label={title}>
      <header class="row subtext">
        <h4>{title}</h4>
        <span class="rest">{formatSize(text.length)}</span>
        <CopyButton label={`Copy: ${title.toLowerCase()}`} text={text} />
      </header>
      <pre class="code card mono" tabIndex={0}>
        {text}
      </pre>
    </section>
  );
}
