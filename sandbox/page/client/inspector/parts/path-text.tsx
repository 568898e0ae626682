// A path, which may go on in the next line wherever a part of it begins.
import { Fragment } from "preact";

export function PathText({ path }: { readonly path: string }) {
  return (
    <span class="call-path">
      {path.split(/(?=[/?&])/).map((part, index) => (
        <Fragment key={index}>
          <wbr />
          {part}
        </Fragment>
      ))}
    </span>
  );
}
