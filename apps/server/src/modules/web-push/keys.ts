import { eq } from 'drizzle-orm';
import { holdKey, type Db } from '../../platform/db/index.ts';
import type { SecretBox } from '../../platform/secrets/index.ts';
import { makeWebPushKeys, type WebPushKeys } from '../../platform/web-push/index.ts';
import { sealedSecret } from '../accounts/auth/tables.ts';
import { PLATFORM_TENANT_ID } from '../accounts/tenants/index.ts';

const NAME = 'web-push-key';

/**
 * The key pair of this installation, created on first use. All servers of a database share it: browsers bind their
 * subscriptions to it.
 */
export function loadWebPushKeys(db: Db, secrets: SecretBox, now: () => Date): Promise<WebPushKeys> {
  return db.platform(async (tx) => {
    await holdKey(tx, NAME);
    const row = await tx.findOne(sealedSecret, eq(sealedSecret.name, NAME));
    if (row) return JSON.parse(secrets.open(row.sealed, NAME)) as WebPushKeys;
    const made = makeWebPushKeys();
    await tx.insert(sealedSecret, {
      name: NAME,
      tenantId: PLATFORM_TENANT_ID,
      sealed: secrets.seal(JSON.stringify(made), NAME),
      createdAt: now(),
    });
    return made;
  });
}
