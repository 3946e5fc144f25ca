import type { SecretBox } from '../../platform/secrets/index.ts';
import type { ConferenceDoor } from '../meetings/index.ts';
import { createAdmission } from './admission.ts';
import { createLease } from './lease.ts';
import { createLifecycle, type LifecycleDeps } from './lifecycle.ts';
import { createPresence } from './presence.ts';
import { createReconciler } from './reconciler.ts';
import { countByMeeting } from './repo.ts';
import { conferenceRoutes } from './routes.ts';
import { createConferenceService } from './service.ts';
import { declareConferenceTopics } from './topics.ts';

export interface ConferencesDeps extends LifecycleDeps {
  secrets: SecretBox;
}

export type Conferences = ReturnType<typeof createConferences>;

/** The domain of running conferences, put together. Declares its push topic; nothing runs before reconciler.start(). */
export function createConferences(deps: ConferencesDeps) {
  const lifecycle = createLifecycle(deps);
  const service = createConferenceService({ ...deps, lifecycle, admission: createAdmission(deps) });
  const presence = createPresence(deps);
  const reconciler = createReconciler({ ...deps, lifecycle, lease: createLease(deps.db, deps.now), touchPresence: () => presence.touch() });
  declareConferenceTopics(deps.push, deps);
  const door: ConferenceDoor = {
    open: async (meeting) => {
      await lifecycle.open(meeting);
    },
    terminalCounts: countByMeeting,
  };
  return { door, routes: conferenceRoutes(service), authenticate: (token: string) => service.authenticate(token), reconciler };
}
