import type { Commander } from '@rmeet/contract';
import type { TenantTx } from '../../../platform/db/index.ts';
import { AppError } from '../../../platform/http/index.ts';
import type { Push } from '../../../platform/push/index.ts';
import { findMeeting, isInvited, isOnWhiteList } from '../../meetings/index.ts';
import type { MeetingRow } from '../../meetings/tables.ts';
import { reserveCapacity } from '../joining/capacity.ts';
import { awaitsHost, mustWait } from '../policy.ts';
import { findPresent, firstInside, updateTerminals } from '../repo.ts';
import type { ConferenceRow, TerminalRow } from '../tables.ts';
import { SERVER, type ControlContext } from './authorization.ts';
import type { Control } from './control.ts';

export interface AdmitterDeps {
  push: Push;
  now: () => Date;
  capacity: number;
  control: Control;
}

/** Admits waiting terminals. */
export class Admitter {
  readonly #deps: AdmitterDeps;

  constructor(deps: AdmitterDeps) {
    this.#deps = deps;
  }

  /** Admits waiting terminals, for whom places were reserved. */
  async admit(
    tx: TenantTx,
    conference: ConferenceRow,
    waiting: readonly TerminalRow[],
    by: Commander,
    context: ControlContext | null,
  ): Promise<void> {
    const { push, control, now } = this.#deps;
    const topic = `meeting:${conference.meetingId}`;
    const at = now();
    const admitted = {
      state: 'admitted' as const,
      admittedAt: at,
      firstInsideAt: firstInside(at),
      message: null,
      awaitsHost: false,
    };
    const rows = await updateTerminals(tx, termIdsOf(waiting), ['waiting'], admitted);
    await control.execute(tx, conference, { verb: 'admit', termIds: termIdsOf(rows) }, by, context);
    for (const row of rows) {
      await push.publishTo(tx, topic, { type: 'admitted', conferenceId: conference.id }, { termId: row.termId });
      await push.publish(tx, topic, { type: 'waitingRemoved', termId: row.termId, conferenceId: conference.id });
      await control.arrive(tx, conference, row);
    }
  }

  /**
   * A host has arrived: admits those who only waited for one, in the order of their arrival. Those who have to be
   * admitted by now, or for whom there is no place, stay in the waiting room.
   */
  async hostArrived(tx: TenantTx, conference: ConferenceRow): Promise<void> {
    const awaiting = (await findPresent(tx, [conference.id])).filter(
      (row) => row.state === 'waiting' && row.awaitsHost,
    );
    if (awaiting.length === 0) return;
    await updateTerminals(tx, termIdsOf(awaiting), ['waiting'], { awaitsHost: false });
    const meeting = await findMeeting(tx, conference.meetingId);
    const free = meeting ? await freeToEnter(tx, conference, meeting, awaiting) : [];
    const rows = await this.#admitWhileCapacity(tx, conference, free);
    const stillWaiting = awaiting.filter(({ termId }) => !rows.some((row) => row.termId === termId));
    await this.#notifyWaitChanged(tx, conference, stillWaiting, false);
  }

  /**
   * The white list was changed: admits waiting people who are on it now, unless another rule prevents it, such as a
   * waiting room for everybody, a locked conference, a host who has not arrived, or no free place.
   */
  async whiteListChanged(tx: TenantTx, conference: ConferenceRow): Promise<void> {
    const members = await waitingOnWhiteList(tx, conference);
    const meeting = members.length > 0 ? await findMeeting(tx, conference.meetingId) : undefined;
    const { locked, waitingRoom } = conference.control;
    if (!meeting || locked || mustWait({ role: 'member', belongs: true }, meeting, waitingRoom)) return;
    if (!awaitsHost('member', meeting, conference.control)) {
      await this.#admitWhileCapacity(tx, conference, members);
      return;
    }
    const rows = await updateTerminals(tx, termIdsOf(members), ['waiting'], { awaitsHost: true });
    await this.#notifyWaitChanged(tx, conference, rows, true);
  }

  /**
   * The role of these terminals was changed. Hosts need not wait, and the conference's capacity does not keep them out.
   * If a host is inside, those who waited for one are admitted.
   */
  async rolesChanged(tx: TenantTx, conference: ConferenceRow, terminals: readonly TerminalRow[]): Promise<void> {
    const hosts = terminals.filter(({ role }) => role === 'host');
    const waiting = hosts.filter(({ state }) => state === 'waiting');
    const rows = await this.#admitWhileCapacity(tx, conference, waiting, Infinity);
    if (rows.length > 0 || hosts.some(({ state }) => state === 'admitted')) await this.hostArrived(tx, conference);
  }

  /** Admits as many of these terminals as there are places for, and returns them. */
  async #admitWhileCapacity(
    tx: TenantTx,
    conference: ConferenceRow,
    waiting: readonly TerminalRow[],
    capacity = this.#deps.capacity,
  ): Promise<TerminalRow[]> {
    const rows = waiting.slice(0, await placesFor(tx, conference, waiting.length, capacity));
    if (rows.length > 0) await this.admit(tx, conference, rows, SERVER, null);
    return rows;
  }

  async #notifyWaitChanged(
    tx: TenantTx,
    { id, meetingId }: ConferenceRow,
    rows: readonly TerminalRow[],
    isAwaitingHost: boolean,
  ): Promise<void> {
    const event = { type: 'waitChanged', awaitsHost: isAwaitingHost, conferenceId: id };
    for (const { termId } of rows) await this.#deps.push.publishTo(tx, `meeting:${meetingId}`, event, { termId });
  }
}

const termIdsOf = (rows: readonly TerminalRow[]): string[] => rows.map(({ termId }) => termId);

/** How many of these arriving terminals have places. */
async function placesFor(
  tx: TenantTx,
  conference: ConferenceRow,
  newcomers: number,
  capacity: number,
): Promise<number> {
  for (let places = newcomers; places > 0; places -= 1) {
    try {
      await reserveCapacity(tx, conference, places, capacity);
      return places;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
    }
  }
  return 0;
}

/** Whether the person of a terminal needs neither a password nor to be admitted, as the meeting is now. */
async function belongs(tx: TenantTx, { role, accountId, meetingId }: TerminalRow): Promise<boolean> {
  if (role === 'host' || accountId === null) return role === 'host';
  return (await isInvited(tx, meetingId, accountId)) || isOnWhiteList(tx, meetingId, accountId);
}

/** The terminals that need not be admitted. */
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

/** Waiting terminals of people who are now on the white list. */
async function waitingOnWhiteList(tx: TenantTx, { id, meetingId }: ConferenceRow): Promise<TerminalRow[]> {
  const listed: TerminalRow[] = [];
  for (const row of await findPresent(tx, [id])) {
    if (row.state === 'waiting' && row.accountId !== null && (await isOnWhiteList(tx, meetingId, row.accountId)))
      listed.push(row);
  }
  return listed;
}
