import type { ConferenceControl, ConferenceRole } from '@rmeet/conference';
import type { Commander } from '@rmeet/contract';
import type { TenantTx } from '../../../platform/db/index.ts';
import { AppError } from '../../../platform/http/index.ts';
import type { Push } from '../../../platform/push/index.ts';
import { findMeeting, isInvited, isOnWhiteList } from '../../meetings/index.ts';
import type { MeetingRow } from '../../meetings/tables.ts';
import { takePlaces } from '../joining/capacity.ts';
import { mustWait } from '../policy.ts';
import { findPresent, firstInside, updateTerminals } from '../repo.ts';
import type { ConferenceRow, TerminalRow } from '../tables.ts';
import type { Control } from './control.ts';
import { SERVER, type ControlContext } from './authorization.ts';

/** Whether a host has been inside: from then on the others come in without one, too. */
function hostHasCome({ terminals }: Pick<ConferenceControl, 'terminals'>): boolean {
  return Object.values(terminals).some(({ role }) => role === 'host');
}

/** Whether the person of a terminal needs neither password nor letting in, as the meeting is now. */
async function belongs(tx: TenantTx, { role, accountId, meetingId }: TerminalRow): Promise<boolean> {
  if (role === 'host' || accountId === null) return role === 'host';
  return (await isInvited(tx, meetingId, accountId)) || isOnWhiteList(tx, meetingId, accountId);
}

/** Whether somebody with this role has to wait until a host comes. */
export function awaitsHost(
  role: ConferenceRole,
  { joinBeforeHost }: Pick<MeetingRow, 'joinBeforeHost'>,
  control: Pick<ConferenceControl, 'terminals'>,
): boolean {
  return !joinBeforeHost && role !== 'host' && !hostHasCome(control);
}

export interface LetInDeps {
  push: Push;
  now: () => Date;
  capacity: number;
  control: Control;
}

/** How those who wait come in. */
export function createLetIn({ push, now, capacity, control }: LetInDeps) {
  /** Lets waiting terminals in that there are places for. */
  async function letIn(
    tx: TenantTx,
    conference: ConferenceRow,
    waiting: readonly TerminalRow[],
    by: Commander,
    context: ControlContext | null,
  ): Promise<void> {
    const topic = `meeting:${conference.meetingId}`;
    const at = now();
    const admitted = {
      state: 'admitted' as const,
      admittedAt: at,
      firstInsideAt: firstInside(at),
      message: null,
      awaitsHost: false,
    };
    const rows = await updateTerminals(
      tx,
      waiting.map((row) => row.termId),
      ['waiting'],
      admitted,
    );
    await control.execute(tx, conference, { verb: 'admit', termIds: rows.map((row) => row.termId) }, by, context);
    for (const row of rows) {
      await push.publishTo(tx, topic, { type: 'admitted', conferenceId: conference.id }, { termId: row.termId });
      await push.publish(tx, topic, { type: 'waitingRemoved', termId: row.termId, conferenceId: conference.id });
      await control.arrive(tx, conference, row);
    }
  }

  /** How many of so many newcomers there are places for. */
  async function placesFor(
    tx: TenantTx,
    conference: ConferenceRow,
    newcomers: number,
    ofConference = capacity,
  ): Promise<number> {
    for (let places = newcomers; places > 0; places -= 1) {
      try {
        await takePlaces(tx, conference, places, ofConference);
        return places;
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
      }
    }
    return 0;
  }

  /** Those who need not be let in. */
  async function freeToEnter(
    tx: TenantTx,
    { control: { waitingRoom } }: ConferenceRow,
    meeting: MeetingRow,
    rows: readonly TerminalRow[],
  ): Promise<TerminalRow[]> {
    const free: TerminalRow[] = [];
    for (const row of rows)
      if (!mustWait({ role: row.role, belongs: await belongs(tx, row) }, meeting, waitingRoom)) free.push(row);
    return free;
  }

  /**
   * A host has come: those who waited for nothing else come in, in the order they came. Whoever has to be let in by
   * now, or has no place, waits on like everybody in the waiting room.
   */
  async function hostCame(tx: TenantTx, conference: ConferenceRow): Promise<void> {
    const awaiting = (await findPresent(tx, [conference.id])).filter(
      (row) => row.state === 'waiting' && row.awaitsHost,
    );
    if (awaiting.length === 0) return;
    await updateTerminals(
      tx,
      awaiting.map((row) => row.termId),
      ['waiting'],
      { awaitsHost: false },
    );
    const meeting = await findMeeting(tx, conference.meetingId);
    const free = meeting ? await freeToEnter(tx, conference, meeting, awaiting) : [];
    const rows = free.slice(0, await placesFor(tx, conference, free.length));
    if (rows.length > 0) await letIn(tx, conference, rows, SERVER, null);
    for (const { termId } of awaiting) {
      if (rows.some((row) => row.termId === termId)) continue;
      await push.publishTo(
        tx,
        `meeting:${conference.meetingId}`,
        { type: 'waitChanged', awaitsHost: false, conferenceId: conference.id },
        { termId },
      );
    }
  }

  /** Those who wait and whom the white list has now. */
  async function waitingOnList(tx: TenantTx, conference: ConferenceRow): Promise<TerminalRow[]> {
    const listed: TerminalRow[] = [];
    for (const row of await findPresent(tx, [conference.id])) {
      if (
        row.state === 'waiting' &&
        row.accountId !== null &&
        (await isOnWhiteList(tx, conference.meetingId, row.accountId))
      )
        listed.push(row);
    }
    return listed;
  }

  return {
    letIn,
    hostCame,

    /**
     * The white list was changed: whoever waits and is on it now comes in, but for whom something else keeps out. That
     * is a waiting room for everybody, a conference that is locked, a host who has not come, or no place.
     */
    async whiteListChanged(tx: TenantTx, conference: ConferenceRow): Promise<void> {
      const members = await waitingOnList(tx, conference);
      const meeting = members.length > 0 ? await findMeeting(tx, conference.meetingId) : undefined;
      const { locked, waitingRoom } = conference.control;
      if (!meeting || locked || mustWait({ role: 'member', belongs: true }, meeting, waitingRoom)) return;
      if (!awaitsHost('member', meeting, conference.control)) {
        const rows = members.slice(0, await placesFor(tx, conference, members.length));
        if (rows.length > 0) await letIn(tx, conference, rows, SERVER, null);
        return;
      }
      for (const { termId } of await updateTerminals(
        tx,
        members.map((row) => row.termId),
        ['waiting'],
        { awaitsHost: true },
      )) {
        await push.publishTo(
          tx,
          `meeting:${conference.meetingId}`,
          { type: 'waitChanged', awaitsHost: true, conferenceId: conference.id },
          { termId },
        );
      }
    },

    /**
     * These terminals have another role now. Hosts wait for nobody, and the conference's own places do not keep them
     * out; with one inside come those who waited for a host.
     */
    async rolesChanged(tx: TenantTx, conference: ConferenceRow, terminals: readonly TerminalRow[]): Promise<void> {
      const hosts = terminals.filter(({ role }) => role === 'host');
      const waiting = hosts.filter(({ state }) => state === 'waiting');
      const rows = waiting.slice(0, await placesFor(tx, conference, waiting.length, Infinity));
      if (rows.length > 0) await letIn(tx, conference, rows, SERVER, null);
      if (rows.length > 0 || hosts.some(({ state }) => state === 'admitted')) await hostCame(tx, conference);
    },
  };
}

export type LetIn = ReturnType<typeof createLetIn>;
