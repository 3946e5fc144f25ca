import type { Db, PlatformTx } from '../../platform/db/index.ts';
import { findInstallation, saveInstallation } from './repo.ts';

const CHANNEL = 'rmeet_public_url';

/** The addresses of this installation. */
export interface PublicUrls {
  /** As origins, the one for mails first; empty while none is known. */
  all: () => readonly string[];
  /** The one for mails, or null. */
  main: () => string | null;
  /** Stores the address people use; every server applies it once the transaction has committed. */
  store(tx: PlatformTx, publicUrl: string | null, now: Date): Promise<void>;
}

/** RMEET_PUBLIC_URL if it is set, else the stored address, on every server as soon as it is stored. */
export async function createPublicUrls(db: Db, configured: readonly string[]): Promise<PublicUrls> {
  let urls = configured;

  async function load(): Promise<void> {
    const row = await db.platform(findInstallation);
    urls = configured.length > 0 ? configured : row?.publicUrl ? [row.publicUrl] : [];
  }

  if (configured.length === 0) {
    await load();
    const reload = (): void => void load();
    await db.listen(CHANNEL, reload, reload);
  }
  return {
    all: () => urls,
    main: () => urls[0] ?? null,
    async store(tx, publicUrl, now) {
      await saveInstallation(tx, { publicUrl }, now);
      await tx.notify(CHANNEL, '');
      tx.afterCommit(load);
    },
  };
}
