// One picture process for all worlds of a worker, one after the other: a start takes 0.25 s of processor time.
// picture-process.test.ts and the worlds with a bot in its own process prove that each bot starts its own.
import { type PictureChild, startPictureChild } from "../../src/render/picture-process.ts";

let lent: PictureChild | undefined;

/** Lends the process to a bot. It stays alive unless it is killed while it works on a picture. */
export function lendPictureChild(): PictureChild {
  const child = (lent ??= startPictureChild());
  void child.ended.then(() => (lent = lent === child ? undefined : lent));
  const returned = Promise.withResolvers<Awaited<PictureChild["ended"]>>();
  let isIdle = true;
  return {
    pid: child.pid,
    async exchange(request, pictures) {
      isIdle = false;
      const frame = await child.exchange(request, pictures);
      isIdle = frame !== undefined;
      return frame;
    },
    kill() {
      if (isIdle) {
        returned.resolve({ how: "SIGKILL", isKilled: true });
      } else {
        child.kill();
      }
    },
    ended: Promise.race([child.ended, returned.promise]),
  };
}
