import type { Db } from '../../platform/db/index.ts';
import type { Jobs } from '../../platform/jobs/types.ts';
import type { Log } from '../../platform/log/log.ts';
import type { Mail } from '../../platform/mail/index.ts';
import type { Push } from '../../platform/push/index.ts';
import type { SecretBox } from '../../platform/secrets/index.ts';
import type { Sms } from '../../platform/sms/index.ts';
import type { WebPushPort } from '../web-push/index.ts';
import { createCentre } from './centre.ts';
import { createChannels } from './delivery/channels.ts';
import { Delivery } from './delivery/delivery.ts';
import { createDeliveries } from './delivery/deliveries.ts';
import { createNoticePort } from './changes/port.ts';
import { sendSoon, sendSoonBy } from './delivery/jobs.ts';
import { sendReminders } from './reminders.ts';
import { releaseClaims } from './repo.ts';
import { createSettings } from './settings.ts';
import { createTexts } from './texts/service.ts';

export interface NoticeDeps {
  db: Db;
  push: Push;
  jobs: Jobs;
  mail: Mail;
  sms: Sms;
  secrets: SecretBox;
  log: Log;
  now: () => Date;
  /** The server's public address, for links; null while it is unknown. */
  publicUrl: () => string | null;
  webPush: WebPushPort;
  /** No other server shares the database, because it is the embedded one. */
  isOnlyServer: boolean;
}

/** The domain of notices about meetings, assembled. */
export function createNotices(deps: NoticeDeps) {
  const { db, push, jobs, mail, sms, secrets, log, now, publicUrl, webPush, isOnlyServer } = deps;
  const settings = createSettings({ db, secrets, now, mail, sms });
  const channels = createChannels({ mail, settings });
  const notifyDeps = { push, secrets, now, channels, sendSoon: sendSoonBy(jobs, log) };
  const delivery = new Delivery({ db, mail, sms, secrets, settings, log, now, publicUrl });
  return {
    port: createNoticePort(notifyDeps),
    deliveries: createDeliveries(db, notifyDeps),
    centre: createCentre({ db, push, now }),
    texts: createTexts({ db, now, publicUrl }),
    settings,
    sendDue: () => delivery.sendDue(),
    /** Creates reminders, and sends what is due, including what another process left behind. */
    async round(): Promise<void> {
      await sendReminders(db, settings, { ...notifyDeps, webPush });
      await delivery.sendDue();
    },
    /** At start: sends what the last process left behind, and releases its claims if there is no other process. */
    async start(): Promise<void> {
      if (isOnlyServer) await db.platform(releaseClaims);
      // The queue starts last; this does not wait for it.
      sendSoon(jobs).catch((error: unknown) => log.warn({ error }, 'Notices wait for the next round'));
    },
  };
}

export type Notices = ReturnType<typeof createNotices>;
