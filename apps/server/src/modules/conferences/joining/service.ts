import { randomInt } from 'node:crypto';
import type { Admission, contract, Input } from '@rmeet/contract';
import type { Db, TenantTx } from '../../../platform/db/index.ts';
import { AppError, type Context, type TerminalCaller } from '../../../platform/http/index.ts';
import type { Media } from '../../../platform/media/index.ts';
import type { Push } from '../../../platform/push/index.ts';
import { hashToken, newToken } from '../../../platform/secrets/index.ts';
import { countUse } from '../../guests/index.ts';
import { findMeeting } from '../../meetings/index.ts';
import type { MeetingRow } from '../../meetings/tables.ts';
import type { Rings } from '../calls/index.ts';
import { authorize, insideTerminal, type Admitter, type Control } from '../control/index.ts';
import { publishDeskWaiting } from '../desk/events.ts';
import type { Lifecycle } from '../engine/lifecycle.ts';
import { mediaOf, roomName } from '../engine/media-rooms.ts';
import { awaitsHost, mustWait } from '../policy.ts';
import { findRunning, findTerminal, insertTerminal, isBarred, updateTerminals } from '../repo.ts';
import { presentWaiting } from '../state.ts';
import type { ConferenceRow, TerminalRow } from '../tables.ts';
import type { Admissible, Admissions, Joiner } from './admission.ts';
import { reserveCapacity } from './capacity.ts';
import { admissionOf } from './media-access.ts';

type TerminalContext = Context & { caller: TerminalCaller };
type JoinBody = Input<typeof contract.conferences.join>['body'];

const TERM_ID_LENGTH = 16;
const TERM_ID_LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';

function newTermId(): string {
  const letters = Array.from({ length: TERM_ID_LENGTH }, () => TERM_ID_LETTERS[randomInt(TERM_ID_LETTERS.length)]);
  return `T${letters.join('')}`;
}

export interface JoiningDeps {
  db: Db;
  push: Push;
  media: Media;
  now: () => Date;
  capacity: number;
  admission: Admissions;
  lifecycle: Lifecycle;
  control: Control;
  admitter: Admitter;
  rings: Rings;
}

/** How terminals join a conference, return to it and leave it. */
export class Joining {
  readonly #deps: JoiningDeps;

  constructor(deps: JoiningDeps) {
    this.#deps = deps;
  }

  async join(context: Joiner, body: JoinBody): Promise<Admission> {
    const { db, media, admission, lifecycle } = this.#deps;
    const admissible = await admission.check(context, body);
    const { meeting } = admissible;
    const opened = await lifecycle.open(meeting);
    const sessionToken = newToken();
    return db.tenant(meeting.tenantId, async (tx) => {
      const conference = await findRunning(tx, meeting.id, true);
      if (conference?.id !== opened.id) throw new AppError('MEETING_ENDED');
      const row = await this.#insert(tx, conference, admissible, context, body, sessionToken);
      if (row.state === 'admitted') await this.#arrive(tx, conference, row);
      else await this.#announceWaiting(tx, conference, row);
      return admissionOf({ tx, media }, row, conference, meeting, sessionToken, context);
    });
  }

  /** The media token of a terminal that was admitted from the waiting room, or that disappeared and returns. */
  async enter(context: TerminalContext, meetId: string): Promise<Admission> {
    const { db, push, media } = this.#deps;
    const { sessionToken } = context.caller;
    return db.tenant(context.caller.tenantId, async (tx) => {
      const { conference, me } = await authorize(tx, context.caller, meetId, true);
      if (!me) throw new AppError('TERMINAL_GONE');
      const meeting = await this.#meetingToEnter(tx, conference);
      // Its push sockets were opened while it was waiting, or have missed events during its absence.
      if (me.state !== 'waiting') tx.afterCommit(() => push.refresh({ termIds: [me.termId] }));
      if (me.state !== 'lost') return admissionOf({ tx, media }, me, conference, meeting, sessionToken, context);
      const back = await this.#readmit(tx, conference, me);
      return admissionOf({ tx, media }, back, conference, meeting, sessionToken, context);
    });
  }

  /** A media token for the newest room, for a terminal inside; its push socket stays as it is. */
  async migrate(context: TerminalContext, meetId: string): Promise<Admission> {
    const { db, media } = this.#deps;
    return db.tenant(context.caller.tenantId, async (tx) => {
      const { conference, me } = await insideTerminal(tx, context.caller, meetId, 'ownMedia', false);
      const meeting = await this.#meetingToEnter(tx, conference);
      return admissionOf({ tx, media }, me, conference, meeting, context.caller.sessionToken, context);
    });
  }

  async leave({ caller }: TerminalContext, meetId: string): Promise<void> {
    const { db, push, media, control, now } = this.#deps;
    if (caller.meetId !== meetId) throw new AppError('NOT_FOUND');
    await db.tenant(caller.tenantId, async (tx) => {
      const conference = await findRunning(tx, meetId, true);
      if (conference?.id !== caller.conferenceId) return;
      const before = await findTerminal(tx, caller.termId);
      const [left] = await updateTerminals(tx, [caller.termId], ['waiting', 'admitted'], {
        state: 'left',
        leftAt: now(),
        handRaisedAt: null,
      });
      if (!left) return;
      const { termId } = left;
      if (before?.state === 'waiting')
        await push.publish(tx, `meeting:${meetId}`, { type: 'waitingRemoved', termId, conferenceId: conference.id });
      else await control.depart(tx, conference, [termId]);
      // If the engine is unavailable, there is no participant to remove, and the response need not wait for it.
      const engine = mediaOf(media, conference);
      if (engine.available()) tx.afterCommit(() => engine.removeParticipant(roomName(conference), termId));
      tx.afterCommit(() => push.disconnect({ termIds: [termId] }, 'TERMINAL_GONE'));
    });
  }

  /** Stores the terminal, admitted or waiting. */
  async #insert(
    tx: TenantTx,
    conference: ConferenceRow,
    admissible: Admissible,
    { caller }: Joiner,
    body: JoinBody,
    sessionToken: string,
  ): Promise<TerminalRow> {
    const { meeting, role, name, guestToken } = admissible;
    const marks = {
      accountId: caller.kind === 'user' && caller.tenantId === meeting.tenantId ? caller.userId : null,
      deviceMark: body.deviceId === undefined ? null : hashToken(body.deviceId),
      guestTokenId: guestToken?.id ?? null,
    };
    if (await isBarred(tx, { ...marks, conferenceId: conference.id })) throw new AppError('TERMINAL_REMOVED');
    const entry = await this.#entryOf(tx, conference, admissible);
    const waits = entry.state === 'waiting';
    if (guestToken && !(await countUse(tx, guestToken))) throw new AppError('GUEST_LINK_INVALID');
    const at = this.#deps.now();
    return insertTerminal(tx, {
      termId: newTermId(),
      conferenceId: conference.id,
      meetingId: meeting.id,
      tokenHash: hashToken(sessionToken),
      name,
      role,
      ...marks,
      ...entry,
      deviceType: body.deviceType,
      origin: '',
      createdAt: at,
      admittedAt: waits ? null : at,
      firstInsideAt: waits ? null : at,
      lastSeenAt: at,
    });
  }

  /** Whether a person enters at once, or waits to be admitted or for a host. Reserves a place for those who enter. */
  async #entryOf(
    tx: TenantTx,
    conference: ConferenceRow,
    { meeting, role, belongs }: Admissible,
  ): Promise<Pick<TerminalRow, 'state' | 'awaitsHost'>> {
    const { locked, waitingRoom } = conference.control;
    if (locked && role !== 'host') throw new AppError('CONFERENCE_LOCKED');
    if (mustWait({ role, belongs }, meeting, waitingRoom)) return { state: 'waiting', awaitsHost: false };
    if (awaitsHost(role, meeting, conference.control)) return { state: 'waiting', awaitsHost: true };
    await reserveCapacity(tx, conference, 1, this.#capacityFor(role));
    return { state: 'admitted', awaitsHost: false };
  }

  /** Admits a terminal again that had disappeared. */
  async #readmit(tx: TenantTx, conference: ConferenceRow, me: TerminalRow): Promise<TerminalRow> {
    if (await isBarred(tx, me)) throw new AppError('TERMINAL_REMOVED');
    await reserveCapacity(tx, conference, 1, this.#capacityFor(me.role));
    const [back] = await updateTerminals(tx, [me.termId], ['lost'], {
      state: 'admitted',
      leftAt: null,
      joinedAt: null,
      admittedAt: this.#deps.now(),
    });
    if (!back) throw new AppError('TERMINAL_GONE');
    await this.#arrive(tx, conference, back);
    return back;
  }

  /** The meeting of a conference whose engine is available. */
  async #meetingToEnter(tx: TenantTx, conference: ConferenceRow): Promise<MeetingRow> {
    if (!mediaOf(this.#deps.media, conference).available()) throw new AppError('MEDIA_UNAVAILABLE');
    const meeting = await findMeeting(tx, conference.meetingId);
    if (!meeting) throw new AppError('CONFERENCE_OVER');
    return meeting;
  }

  /** The host does not count towards the conference's capacity. */
  #capacityFor(role: TerminalRow['role']): number {
    return role === 'host' ? Infinity : this.#deps.capacity;
  }

  /** Tells everybody that a terminal is inside. A host admits those who wait for one. */
  async #arrive(tx: TenantTx, conference: ConferenceRow, row: TerminalRow): Promise<void> {
    const { control, admitter } = this.#deps;
    await control.arrive(tx, conference, row);
    if (row.role === 'host') await admitter.hostArrived(tx, conference);
  }

  async #announceWaiting(tx: TenantTx, conference: ConferenceRow, row: TerminalRow): Promise<void> {
    const { push, rings } = this.#deps;
    await push.publish(tx, `meeting:${conference.meetingId}`, {
      type: 'waitingAdded',
      terminal: presentWaiting(row),
      conferenceId: conference.id,
    });
    await publishDeskWaiting(push, tx, conference, row);
    await rings.moved(tx, conference, [row.termId]);
  }
}
