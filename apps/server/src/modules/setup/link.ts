import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Db } from '../../platform/db/index.ts';
import { writeDurably } from '../../platform/durable/index.ts';
import { hashToken, newToken } from '../../platform/secrets/index.ts';
import { findInstallation, hasAccounts, saveInstallation } from './repo.ts';

/** The file of the setup link, in the data folder; readable only by its owner. */
const LINK_FILE = 'setup-link';

interface LinkDeps {
  db: Db;
  dataFolder: string;
  now: () => Date;
}

/**
 * Creates the setup link of an installation without accounts; the previous one becomes invalid. If accounts exist, the
 * remains of a link are removed.
 *
 * @param origin the address of the link: `https://192.0.2.7:3000`
 * @returns the link and its file; undefined if the installation is set up
 */
export async function makeSetupLink(
  { db, dataFolder, now }: LinkDeps,
  origin: string,
): Promise<{ link: string; file: string } | undefined> {
  const secret = newToken();
  const isOpen = await db.platform(async (tx) => {
    const isSetUp = await hasAccounts(tx);
    // The start of an installation that is set up stores nothing, because the disk may be full.
    if (!isSetUp) await saveInstallation(tx, { setupHash: hashToken(secret) }, now());
    else if ((await findInstallation(tx))?.setupHash) await saveInstallation(tx, { setupHash: null }, now());
    return !isSetUp;
  });
  if (!isOpen) {
    await removeSetupLink(dataFolder);
    return undefined;
  }
  // Behind the hash, it is in no request line, log or Referer header.
  const link = `${origin}/setup/#${secret}`;
  const file = join(dataFolder, LINK_FILE);
  writeDurably(file, `${link}\n`);
  return { link, file };
}

export async function removeSetupLink(dataFolder: string): Promise<void> {
  await rm(join(dataFolder, LINK_FILE), { force: true });
}
