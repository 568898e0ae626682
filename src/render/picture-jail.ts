// Isolates the picture process, in case a picture exploits a decoder. Decoders are native code, so Node's own
// permission model does not restrict them. If Linux lets the bot create namespaces, the process sees only the files
// that it needs, read-only, and no other file, process or network, and it cannot create namespaces itself. Otherwise,
// e.g. in most containers, it has the rights of the bot's user; docs/hosting.md says what that means.
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const SYSTEM = ["/usr", "/lib", "/lib64", "/bin"];

/** Builds a root directory from the paths in $SHOWN, one a line, and runs the arguments in it without capabilities. */
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
/** Tries `node --version` in the jail. If that fails, e.g. for libraries in unusual folders, runs without the jail. */
const TRY = `${ENTER} "$1" --version >/dev/null 2>&1 && exec ${ENTER} "$@"; unset SETUP_ROOT SHOWN; exec "$@"`;

/** Returns the arguments of `spawn` that start a Node program in the jail. */
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
  // Files come before the folders that may contain them, because a folder is read-only once it is mounted.
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
