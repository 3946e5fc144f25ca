import { randomInt } from 'node:crypto';
import type { ConferenceRight } from '@rmeet/conference';
import { cameraOf, type Admission, type contract, type Data, type Input } from '@rmeet/contract';
import type { Db, TenantTx } from '../../../platform/db/index.ts';
import { AppError, type Context, type TerminalCaller } from '../../../platform/http/index.ts';
import type { Media } from '../../../platform/media/index.ts';
import type { Push } from '../../../platform/push/index.ts';
import { hashToken, newToken } from '../../../platform/secrets/index.ts';
import { countUse } from '../../guests/index.ts';
import { findMeeting } from '../../meetings/index.ts';
import type { MeetingRow } from '../../meetings/tables.ts';
import { findTenant } from '../../accounts/tenants/index.ts';
import { findAccount } from '../../accounts/users/index.ts';
import type { Admissions, Joiner } from './admission.ts';
import type { Rings } from '../calls/index.ts';
import { awaitsHost, BELONGING, standingIn, type Control, type ControlContext, type LetIn } from '../control/index.ts';
import { publishDeskWaiting } from '../desk/events.ts';
import { desiredPermission, holdsOf } from '../engine/media-permissions.ts';
import { mediaOf, roomOf, type Lifecycle } from '../engine/lifecycle.ts';
import { takePlaces } from './capacity.ts';
import { mayDo, mustWait, partsOf } from '../policy.ts';
import {
  findConference,
  findRunning,
  findTerminal,
  findTerminalByToken,
  insertMessage,
  insertTerminal,
  isBarred,
  updateTerminals,
} from '../repo.ts';
import { presentMessage, presentTerminal, presentWaiting } from '../state.ts';
import type { ConferenceRow, TerminalRow } from '../tables.ts';

type TerminalContext = Context & { caller: TerminalCaller };
type JoinBody = Input<typeof contract.conferences.join>['body'];

/**
 * The engine gives everybody inside a new one now and then, with what they may send by then; an old one is of no use
 * for long.
 */
const TOKEN_SECONDS = 10 * 60;
const TERM_ID_LENGTH = 16;
const TERM_ID_LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';

function newTermId(): string {
  return `T${Array.from({ length: TERM_ID_LENGTH }, () => TERM_ID_LETTERS[randomInt(TERM_ID_LETTERS.length)]).join('')}`;
}

export interface ConferenceDeps {
  db: Db;
  push: Push;
  media: Media;
  now: () => Date;
  capacity: number;
  admission: Admissions;
  lifecycle: Lifecycle;
  control: Control;
  letIn: LetIn;
  rings: Rings;
}

export function createConferenceService({
  db,
  push,
  media,
  now,
  capacity,
  admission,
  lifecycle,
  control,
  letIn,
  rings,
}: ConferenceDeps) {
  const publish = (tx: TenantTx, conference: ConferenceRow, event: { type: string } & Record<string, unknown>) =>
    push.publish(tx, `meeting:${conference.meetingId}`, { ...event, conferenceId: conference.id });

  /** A conference takes its host beyond its capacity. */
  const capacityFor = (role: TerminalRow['role']): number => (role === 'host' ? Infinity : capacity);

  async function admissionOf(
    row: TerminalRow,
    conference: ConferenceRow,
    { template }: Pick<MeetingRow, 'template'>,
    sessionToken: string,
    context: Context,
  ): Promise<Admission> {
    const who = { meetId: row.meetingId, termId: row.termId, sessionToken };
    if (row.state === 'waiting') return { state: 'waiting', ...who, awaitsHost: row.awaitsHost };
    const engine = mediaOf(media, conference);
    const token = await engine.token({
      room: roomOf(conference),
      identity: row.termId,
      name: row.name,
      metadata: JSON.stringify({ role: row.role }),
      ttlSeconds: TOKEN_SECONDS,
      canSubscribe: true,
      ...desiredPermission(holdsOf(conference.control, row.termId)),
    });
    return {
      state: 'admitted',
      ...who,
      url: engine.url(context),
      token,
      camera: cameraOf(template),
      generation: conference.generation,
    };
  }

  async function ownPlace(
    tx: TenantTx,
    { caller }: TerminalContext,
    meetId: string,
  ): Promise<{ conference: ConferenceRow; me: TerminalRow }> {
    const { conference, me } = await standingIn(tx, caller, meetId, true);
    if (!me) throw new AppError('TERMINAL_GONE');
    return { conference, me };
  }

  /** The caller's terminal, inside, and its conference: held to the end of the transaction, unless it is only read. */
  async function inside(
    tx: TenantTx,
    { caller }: TerminalContext,
    meetId: string,
    right: ConferenceRight,
    held = true,
  ): Promise<{ conference: ConferenceRow; me: TerminalRow }> {
    const { conference, parts, me } = await standingIn(tx, caller, meetId, held);
    if (!mayDo(parts, right)) throw new AppError('FORBIDDEN');
    if (me?.state !== 'admitted') throw new AppError('TERMINAL_GONE');
    return { conference, me };
  }

  /** It is inside now, and with a host come those who waited for one. */
  async function arrive(tx: TenantTx, conference: ConferenceRow, row: TerminalRow): Promise<void> {
    await control.arrive(tx, conference, row);
    if (row.role === 'host') await letIn.hostCame(tx, conference);
  }

  return {
    async join(context: Joiner, body: JoinBody): Promise<Admission> {
      const { meeting, role, belongs, name, guestToken } = await admission.check(context, body);
      const opened = await lifecycle.open(meeting);
      const sessionToken = newToken();
      const { caller } = context;
      const marks = {
        accountId: caller.kind === 'user' && caller.tenantId === meeting.tenantId ? caller.userId : null,
        deviceMark: body.deviceId === undefined ? null : hashToken(body.deviceId),
        guestTokenId: guestToken?.id ?? null,
      };
      return db.tenant(meeting.tenantId, async (tx) => {
        const conference = await findRunning(tx, meeting.id, true);
        if (conference?.id !== opened.id) throw new AppError('MEETING_ENDED');
        const { locked, waitingRoom } = conference.control;
        if (await isBarred(tx, { ...marks, conferenceId: conference.id })) throw new AppError('TERMINAL_REMOVED');
        if (locked && role !== 'host') throw new AppError('CONFERENCE_LOCKED');
        const mustBeAdmitted = mustWait({ role, belongs }, meeting, waitingRoom);
        const waits = mustBeAdmitted || awaitsHost(role, meeting, conference.control);
        if (!waits) await takePlaces(tx, conference, 1, capacityFor(role));
        if (guestToken && !(await countUse(tx, guestToken))) throw new AppError('GUEST_LINK_INVALID');
        const at = now();
        const row = await insertTerminal(tx, {
          termId: newTermId(),
          conferenceId: conference.id,
          meetingId: meeting.id,
          tokenHash: hashToken(sessionToken),
          name,
          role,
          ...marks,
          state: waits ? 'waiting' : 'admitted',
          awaitsHost: waits && !mustBeAdmitted,
          deviceType: body.deviceType,
          origin: '',
          createdAt: at,
          admittedAt: waits ? null : at,
          firstInsideAt: waits ? null : at,
          lastSeenAt: at,
        });
        if (!waits) await arrive(tx, conference, row);
        else {
          await publish(tx, conference, { type: 'waitingAdded', terminal: presentWaiting(row) });
          await publishDeskWaiting(push, tx, conference, row);
          await rings.moved(tx, conference, [row.termId]);
        }
        return admissionOf(row, conference, meeting, sessionToken, context);
      });
    },

    /** The media token of a terminal that is let in, or of one that vanished and is back. */
    async enter(context: TerminalContext, meetId: string): Promise<Admission> {
      return db.tenant(context.caller.tenantId, async (tx) => {
        const { conference, me } = await ownPlace(tx, context, meetId);
        if (!mediaOf(media, conference).available()) throw new AppError('MEDIA_UNAVAILABLE');
        // Its push sockets were opened by somebody who waited, or miss what happened while it was away.
        if (me.state !== 'waiting') tx.afterCommit(() => push.refresh({ termIds: [me.termId] }));
        const meeting = await findMeeting(tx, meetId);
        if (!meeting) throw new AppError('CONFERENCE_OVER');
        if (me.state !== 'lost') return admissionOf(me, conference, meeting, context.caller.sessionToken, context);
        if (await isBarred(tx, me)) throw new AppError('TERMINAL_REMOVED');
        await takePlaces(tx, conference, 1, capacityFor(me.role));
        const [back] = await updateTerminals(tx, [me.termId], ['lost'], {
          state: 'admitted',
          leftAt: null,
          joinedAt: null,
          admittedAt: now(),
        });
        if (!back) throw new AppError('TERMINAL_GONE');
        await arrive(tx, conference, back);
        return admissionOf(back, conference, meeting, context.caller.sessionToken, context);
      });
    },

    /** A token for the newest room, of a terminal inside; its push socket goes on as it is. */
    async goOver(context: TerminalContext, meetId: string): Promise<Admission> {
      return db.tenant(context.caller.tenantId, async (tx) => {
        const { conference, me } = await inside(tx, context, meetId, 'ownMedia', false);
        if (!mediaOf(media, conference).available()) throw new AppError('MEDIA_UNAVAILABLE');
        const meeting = await findMeeting(tx, meetId);
        if (!meeting) throw new AppError('CONFERENCE_OVER');
        return admissionOf(me, conference, meeting, context.caller.sessionToken, context);
      });
    },

    async leave(context: TerminalContext, meetId: string): Promise<void> {
      const { caller } = context;
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
        if (before?.state === 'waiting') await publish(tx, conference, { type: 'waitingRemoved', termId: left.termId });
        else await control.depart(tx, conference, [left.termId]);
        // Where the engine is away there is nobody to remove, and the answer need not wait for it.
        const engine = mediaOf(media, conference);
        if (engine.available()) tx.afterCommit(() => engine.removeParticipant(roomOf(conference), left.termId));
        tx.afterCommit(() => push.disconnect({ termIds: [left.termId] }, 'TERMINAL_GONE'));
      });
    },

    async end(context: ControlContext, meetId: string): Promise<void> {
      const { conference, by } = await db.tenant(context.caller.tenantId, (tx) =>
        control.commanding(tx, context, meetId, 'end'),
      );
      const record = async (tx: TenantTx, ended: ConferenceRow): Promise<void> => {
        await control.execute(tx, ended, { verb: 'end' }, by, context);
      };
      if (!(await lifecycle.end(conference, 'ended', 'end', record))) throw new AppError('CONFERENCE_OVER');
    },

    async raiseHand(context: TerminalContext, meetId: string, raised: boolean): Promise<void> {
      await db.tenant(context.caller.tenantId, async (tx) => {
        const { conference, me } = await inside(tx, context, meetId, 'raiseHand');
        if ((me.handRaisedAt !== null) === raised) return;
        const [row] = await updateTerminals(tx, [me.termId], ['admitted'], { handRaisedAt: raised ? now() : null });
        if (row) await publish(tx, conference, { type: 'terminalChanged', terminal: presentTerminal(row) });
      });
    },

    /** Says something once, however often the call is repeated. */
    async say(
      context: TerminalContext,
      meetId: string,
      { id, text }: { id: string; text: string },
    ): Promise<Data<typeof contract.conferences.chat>> {
      return db.tenant(context.caller.tenantId, async (tx) => {
        const { conference, me } = await inside(tx, context, meetId, 'chat');
        const { row, isNew } = await insertMessage(tx, {
          id,
          conferenceId: conference.id,
          termId: me.termId,
          name: me.name,
          text,
          sentAt: now(),
        });
        if (row.termId !== me.termId) throw new AppError('INVALID_INPUT');
        const message = presentMessage(row);
        if (isNew) await publish(tx, conference, { type: 'chat', message });
        return message;
      });
    },

    /**
     * Whose conference token this is. Terminals of a conference that has just ended are known still, to be told that it
     * is over.
     */
    async authenticate(token: string): Promise<TerminalCaller | 'TERMINAL_GONE'> {
      return db.platform(async (tx) => {
        const row = await findTerminalByToken(tx, hashToken(token));
        if (!row) return 'TERMINAL_GONE';
        const conference = await findConference(tx, row.conferenceId);
        const isPresent = BELONGING.has(row.state);
        const wasThereAtTheEnd =
          conference?.endedAt !== null && row.leftAt?.getTime() === conference?.endedAt.getTime();
        if (!isPresent && !wasThereAtTheEnd) return 'TERMINAL_GONE';
        const account = row.accountId === null ? null : await findAccount(tx, row.accountId);
        const tenant = await findTenant(tx, row.tenantId);
        if (!tenant?.enabled || account?.enabled === false) return 'TERMINAL_GONE';
        return {
          kind: 'terminal',
          tenantId: row.tenantId,
          meetId: row.meetingId,
          conferenceId: row.conferenceId,
          termId: row.termId,
          name: row.name,
          role: row.role,
          state: row.state === 'lost' ? 'lost' : row.admittedAt === null ? 'waiting' : 'admitted',
          sessionToken: token,
          admittedAt: row.admittedAt,
          parts: conference ? partsOf(row, conference.control) : [],
        };
      });
    },
  };
}

export type ConferenceService = ReturnType<typeof createConferenceService>;
