// What keeps a decoder that a picture has broken away from everything else. Decoders are native code, so Node's own
// permission model does not bind them. Where Linux lets the bot create namespaces, the picture process sees nothing but
// what it runs on, read-only: no other file, process or network, and it cannot create namespaces itself. Elsewhere, e.g.
// in most containers, it may do what the bot's user may; docs/hosting.md says what is left there.
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const SYSTEM = ["/usr", "/lib", "/lib64", "/bin"];

/** Makes a root of its own out of the files in $SHOWN, one a line, gives up all capabilities and runs the arguments. */
const SETUP_ROOT = `
set -e
mount -t tmpfs -o mode=755,size=1m none /sys
IFS='
'
for path in $SHOWN; do
  [ -e "$path" ] || continue
  mkdir -p "/sys\${path%/*}"
  if [ -d "$path" ]; then mkdir -p "/sys$path"; else : > "/sys$path"; fi
  mount -o bind,ro "$path" "/sys$path"
done
mount -o remount,ro /sys
unset SETUP_ROOT SHOWN
exec chroot /sys setpriv --no-new-privs --ambient-caps=-all --inh-caps=-all --bounding-set=-all "$@"
`;
const ENTER =
  'unshare --map-current-user --keep-caps --mount --pid --net --ipc --fork --kill-child sh -c "$SETUP_ROOT" sh';
/** Whether it can be done at all, and Node runs there, is tried first: libraries may lie where nobody expects them. */
const TRY = `${ENTER} "$1" --version >/dev/null 2>&1 && exec ${ENTER} "$@"; unset SETUP_ROOT SHOWN; exec "$@"`;

/** How to start a program of Node's in the jail, as `spawn` takes it. */
export function jailCommand(
  flags: readonly string[],
  program: string,
): {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
} {
  const command = [process.execPath, ...flags, program];
  const [file = "", ...args] =
    process.platform === "linux" ? ["/bin/sh", "-c", TRY, "sh", ...command] : command;
  // Single files come before the folders that may hold them, which are read-only once they are there.
  const shown = [
    process.execPath,
    program,
    `${ROOT}package.json`,
    `${ROOT}src`,
    `${ROOT}node_modules`,
    ...SYSTEM,
  ];
  return { file, args, env: { PATH: "/usr/sbin:/usr/bin:/sbin:/bin", SETUP_ROOT, SHOWN: shown.join("\n") } };
}
