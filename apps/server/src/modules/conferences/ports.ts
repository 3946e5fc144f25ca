import type { Db } from '../../platform/db/index.ts';
import type { Push } from '../../platform/push/index.ts';
import type { TenantConferences } from '../accounts/tenants/index.ts';
import type { ConferencePort } from '../meetings/index.ts';
import type { Admitter, Control } from './control/index.ts';
import type { Lifecycle } from './engine/lifecycle.ts';
import { isRecorded } from './joining/before-joining.ts';
import { countByMeeting, findAdmittedOfTenant, findRunning, findRunningOfTenant } from './repo.ts';

interface PortDeps {
  db: Db;
  push: Push;
  lifecycle: Lifecycle;
  control: Control;
  admitter: Admitter;
}

/** What the meetings module needs of running conferences. */
export function createMeetingPort({ db, lifecycle, control, admitter }: PortDeps): ConferencePort {
  return {
    async open(meeting, onOpen) {
      await lifecycle.open(meeting, onOpen);
    },
    terminalCounts: countByMeeting,
    isRecorded,
    async holdForWhiteList(tx, meetId) {
      const conference = await findRunning(tx, meetId, true);
      return async () => {
        if (conference) await admitter.whiteListChanged(tx, conference);
      };
    },
    async endCancelled(tenantId, meetId) {
      const conference = await db.tenant(tenantId, (tx) => findRunning(tx, meetId));
      if (conference) await lifecycle.end(conference, 'ended', 'close', control.logEnd, 'cancelled');
    },
  };
}

/** What the tenants module needs of running conferences. */
export function createTenantPort({ db, push, lifecycle, control }: PortDeps): TenantConferences {
  return {
    async endAll(tenantId) {
      const running = await db.tenant(tenantId, findRunningOfTenant);
      for (const conference of running) await lifecycle.end(conference, 'ended', 'close', control.logEnd, 'closed');
    },
    async limitChanged(tenantId) {
      const termIds = await db.tenant(tenantId, findAdmittedOfTenant);
      if (termIds.length > 0) await push.refresh({ termIds });
    },
  };
}
