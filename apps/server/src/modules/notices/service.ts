import type { Db } from '../../platform/db/index.ts';
import type { Jobs } from '../../platform/jobs/types.ts';
import type { Log } from '../../platform/log/log.ts';
import type { Mail } from '../../platform/mail/index.ts';
import type { Push } from '../../platform/push/index.ts';
import type { SecretBox } from '../../platform/secrets/index.ts';
import type { Sms } from '../../platform/sms/index.ts';
import { createCentre } from './centre.ts';
import { createChannels } from './delivery/channels.ts';
import { createDelivery } from './delivery/delivery.ts';
import { createDeliveries } from './delivery/deliveries.ts';
import { createTeller } from './changes/port.ts';
import { sendSoon, sendSoonBy } from './delivery/jobs.ts';
import { remind } from './reminders.ts';
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
  /** Where this server is reached, for links; null while it does not know. */
  publicUrl: () => string | null;
  /** No other server shares the database: it is the embedded one. */
  isOnlyServer: boolean;
}

/** Everything people are told of meetings, put together. */
export function createNotices({ db, push, jobs, mail, sms, secrets, log, now, publicUrl, isOnlyServer }: NoticeDeps) {
  const settings = createSettings({ db, secrets, now, mail, sms });
  const channels = createChannels({ mail, settings });
  const tellDeps = { push, secrets, now, channels, sendSoon: sendSoonBy(jobs, log) };
  const delivery = createDelivery({ db, mail, sms, secrets, settings, log, now, publicUrl });
  return {
    port: createTeller(tellDeps),
    deliveries: createDeliveries(db, tellDeps),
    centre: createCentre({ db, push, now }),
    texts: createTexts({ db, now, publicUrl }),
    settings,
    sendDue: () => delivery.sendDue(),
    /** Reminds, and sends what is due, also what a process left behind. */
    async round(): Promise<void> {
      await remind(db, settings, tellDeps);
      await delivery.sendDue();
    },
    /**
     * At start: what the last process left behind goes out; where no other can be at it, what that one was at is free
     * again.
     */
    async start(): Promise<void> {
      if (isOnlyServer) await db.platform(releaseClaims);
      // The queue begins to work once everything has started; that is not waited for.
      sendSoon(jobs).catch((error: unknown) => log.warn({ error }, 'Notices wait for the next round'));
    },
  };
}

export type Notices = ReturnType<typeof createNotices>;
