import type { Clock } from "../core/clock.ts";
import type { StoredData } from "../storage/owned-rows.ts";

export type Privacy = ReturnType<typeof createPrivacy>;
export type PersonalData = Awaited<ReturnType<Privacy["export"]>>;

export function createPrivacy(deps: {
  readonly database: Pick<StoredData, "eraseUser" | "exportUser">;
  /** People's recent choices. `forget` removes those in memory. */
  readonly recent: {
    readonly forget: (userId: string) => void;
    readonly remember: (userId: string, isOn: boolean) => Promise<void>;
  };
  /** Absent without watches. The function that `beforeErasing` returns is called afterwards, and never rejects. */
  readonly watches: { readonly beforeErasing: (userId: string) => Promise<() => Promise<void>> } | undefined;
  readonly clock: Clock;
}) {
  const { database, recent, watches, clock } = deps;
  return {
    async export(userId: string) {
      /** Rows by the name of their table; empty if nothing is stored. */
      const kept: Readonly<Record<string, readonly unknown[]>> = await database.exportUser(userId);
      return { userId, exportedAt: new Date(clock.now()).toISOString(), kept };
    },
    rememberChoices: (userId: string, isOn: boolean): Promise<void> => recent.remember(userId, isOn),
    async erase(userId: string): Promise<void> {
      const endMessages = await watches?.beforeErasing(userId);
      await database.eraseUser(userId);
      recent.forget(userId);
      // The answer to the person does not wait for this.
      void endMessages?.();
    },
  };
}
