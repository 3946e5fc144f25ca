import { contract } from '@rmeet/contract';
import { mount } from '../platform/http/index.ts';
import type { Modules, Platform } from '../platform/index.ts';
import { openSecretBox } from '../platform/secrets/index.ts';
import { hasDemoPasswords, seedWhenWanted } from '../seed/index.ts';
import { authRoutes, clearExpired, createAuthService, createSessions, declareUserTopics, defineAuthJobs, loadTransitKey } from './auth/index.ts';
import { createConferences } from './conferences/index.ts';
import { createMeetingService, declareMeetingTopics, defineMeetingJobs, meetingRoutes } from './meetings/index.ts';
import { ensurePlatformTenant } from './tenants/index.ts';

export interface ModuleOptions {
  /** The clock; tests bring their own. */
  now?: () => Date;
}

/** What runs by the clock, one round each, for tests that move the clock themselves. */
export interface Rounds {
  reconcile(): Promise<void>;
  lapseMeetings(): Promise<number>;
  clearExpired(): Promise<void>;
}

/** All domains, put together on the platform. Declares push topics and jobs; nothing runs before start(). */
export async function createModules(platform: Platform, { now = () => new Date() }: ModuleOptions = {}): Promise<Modules & { rounds: Rounds }> {
  const { config, db, push, jobs, media, log } = platform;
  await db.platform((tx) => ensurePlatformTenant(tx, now()));
  const secrets = openSecretBox(config.dataFolder, config.secretKey);

  const sessions = createSessions({ db, push, now });
  const auth = await createAuthService({ db, now, sessions, transit: await loadTransitKey(db, secrets, now()) });
  const conferences = createConferences({ db, push, media, secrets, log, now, capacity: config.conferenceCapacity });
  const meetings = createMeetingService({ db, push, secrets, now, conferences: conferences.door });

  declareUserTopics(push);
  declareMeetingTopics(push);
  defineAuthJobs(jobs, { db, sessions, now });
  defineMeetingJobs(jobs, meetings);

  return {
    authenticate: (token, as) => (as === 'user' ? sessions.authenticate(token) : conferences.authenticate(token)),
    mount(app) {
      mount(app, contract.auth, authRoutes(auth));
      mount(app, contract.meetings, meetingRoutes(meetings));
      mount(app, contract.conferences, conferences.routes);
    },
    seed: () => seedWhenWanted({ db, secrets, config, now }),
    hasDemoPasswords: () => hasDemoPasswords(db),
    start: async () => conferences.reconciler.start(),
    stop: () => conferences.reconciler.stop(),
    rounds: { reconcile: conferences.reconciler.tick, lapseMeetings: () => meetings.lapse(), clearExpired: () => clearExpired({ db, sessions, now }) },
  };
}
