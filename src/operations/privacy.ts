// A person's own data: to see, and to have erased.
import type { Clock } from "../core/clock.ts";
import type { StoredData } from "../storage/owned-rows.ts";

export type Privacy = ReturnType<typeof createPrivacy>;
export type PersonalData = Awaited<ReturnType<Privacy["export"]>>;

export function createPrivacy({
  database,
  recent,
  watches,
  clock,
}: {
  readonly database: Pick<StoredData, "eraseUser" | "exportUser">;
  /** What people chose lately; `forget` is for what is kept in memory. */
  readonly recent: {
    readonly forget: (userId: string) => void;
    readonly remember: (userId: string, isOn: boolean) => Promise<void>;
  };
  /** `undefined` where nothing can be watched. What `beforeErasing` returns is called once their data is erased, and never rejects. */
  readonly watches: { readonly beforeErasing: (userId: string) => Promise<() => Promise<void>> } | undefined;
  readonly clock: Clock;
}) {
  return {
    async export(userId: string) {
      /** Rows by the name of their table; empty where nothing is kept. */
      const kept: Readonly<Record<string, readonly unknown[]>> = await database.exportUser(userId);
      return { userId, exportedAt: new Date(clock.now()).toISOString(), kept };
    },
    /** Whether what a person chooses is remembered for their lists. */
    rememberChoices: (userId: string, isOn: boolean): Promise<void> => recent.remember(userId, isOn),
    /** Cannot be undone. */
    async erase(userId: string): Promise<void> {
      const endMessages = await watches?.beforeErasing(userId);
      await database.eraseUser(userId);
      recent.forget(userId);
      // The person's answer does not wait for it.
      void endMessages?.();
    },
  };
}
