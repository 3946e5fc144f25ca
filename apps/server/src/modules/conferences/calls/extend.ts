import { LIMITS, type CommandAnswer } from '@rmeet/contract';
import type { Db, TenantTx } from '../../../platform/db/index.ts';
import { AppError } from '../../../platform/http/index.ts';
import type { Push } from '../../../platform/push/index.ts';
import {
  announceMeeting,
  endTimeOf,
  findMeeting,
  findParticipants,
  hostsBusy,
  prolongMeeting,
} from '../../meetings/index.ts';
import { resourceBusy } from '../../resources/index.ts';
import { mustStayOpen, roomsBusy } from '../../rooms/index.ts';
import type { MeetingRow } from '../../meetings/tables.ts';
import { findTenant } from '../../accounts/tenants/index.ts';
import { findAccounts } from '../../accounts/users/index.ts';
import type { Control, ControlContext } from '../control/index.ts';
import { publishToDesks } from '../desk/events.ts';

const MINUTE = 60_000;
/** Names listed in an error. */
const NAMED = 5;

export interface ExtendDeps {
  db: Db;
  push: Push;
  now: () => Date;
  control: Control;
}

/** A meeting's duration in minutes with `delay` more, counted from its booked end, or from now if that has passed. */
function durationWith({ startTime, endTime }: MeetingRow, delay: number, now: Date): number {
  const from = Math.max(endTime.getTime(), now.getTime());
  return Math.ceil((from - startTime.getTime()) / MINUTE) + delay;
}

/**
 * Prolongs running meetings. Refused if the organisation does not allow meetings of that length, if a room closes
 * earlier, or if another meeting could not begin: one hosted by the host or an invited person, or one that has booked a
 * room or needs the rest of the media resource. People who are only invited to another meeting decide for themselves.
 */
export function createExtend({ db, push, now, control }: ExtendDeps) {
  async function checkLength(tx: TenantTx, duration: number): Promise<void> {
    const limit = (await findTenant(tx, tx.tenantId))?.maxMeetingMinutes ?? LIMITS.durationMax;
    const minutes = Math.min(limit, LIMITS.durationMax);
    if (duration > minutes) throw new AppError('QUOTA_DURATION', { minutes });
  }

  async function checkOthers(tx: TenantTx, meeting: MeetingRow, until: Date): Promise<void> {
    const people = new Set([
      meeting.hostId,
      ...(await findParticipants(tx, [meeting.id])).flatMap(({ accountId }) => accountId ?? []),
    ]);
    const busy = await findAccounts(tx, await hostsBusy(tx, [...people], meeting, until, now()));
    const names = [
      ...busy.map(({ name }) => name),
      ...(await roomsBusy(tx, meeting, until)),
      ...(await resourceBusy(tx, meeting, until)),
    ].toSorted((a, b) => a.localeCompare(b));
    if (names.length === 0) return;
    throw new AppError('ROOM_OR_PERSON_BUSY', {
      names: names.length > NAMED ? `${names.slice(0, NAMED).join(', ')} …` : names.join(', '),
    });
  }

  return {
    /** @throws AppError QUOTA_DURATION, ROOM_CLOSES, ROOM_OR_PERSON_BUSY, and what every command throws */
    extend(context: ControlContext, meetId: string, delay: number): Promise<CommandAnswer> {
      return db.tenant(context.caller.tenantId, async (tx) => {
        const { conference, by } = await control.commanding(tx, context, meetId, 'extend');
        const meeting = await findMeeting(tx, meetId, true);
        if (!meeting) throw new AppError('NOT_FOUND');
        const duration = durationWith(meeting, delay, now());
        await checkLength(tx, duration);
        const until = endTimeOf(meeting.startTime, duration);
        await mustStayOpen(tx, meeting, until, context.locale);
        await checkOthers(tx, meeting, until);
        const endTime = await prolongMeeting(tx, meeting, duration, now());
        await announceMeeting(push, tx, meetId);
        const { commandId, step } = await control.execute(
          tx,
          conference,
          { verb: 'extend', minutes: delay },
          by,
          context,
        );
        await publishToDesks(push, tx, conference, { type: 'extended', bookedUntil: endTime.toISOString() });
        return { commandId, version: step.version, affected: step.affected };
      });
    },
  };
}

export type Extend = ReturnType<typeof createExtend>;
