import { randomInt } from 'node:crypto';
import type { Admission, contract, Data, Input } from '@rmeet/contract';
import type { Db, TenantTx } from '../../platform/db/index.ts';
import { AppError, type Context, type TerminalCaller, type UserCaller } from '../../platform/http/index.ts';
import type { Media, MediaSource } from '../../platform/media/types.ts';
import type { Push } from '../../platform/push/index.ts';
import { hashToken, newToken } from '../../platform/secrets/index.ts';
import { findMeeting, isInvited, mayManage, relationTo } from '../meetings/index.ts';
import { findTenant } from '../tenants/index.ts';
import { findAccount } from '../users/index.ts';
import type { createAdmission, Joiner } from './admission.ts';
import { roomOf, type Lifecycle } from './lifecycle.ts';
import { mustWait, rightsOf } from './policy.ts';
import { countAdmitted, findConference, findPresent, findRunning, findTerminal, findTerminalByToken, insertMessage, insertTerminal, updateTerminals } from './repo.ts';
import { presentMessage, presentTerminal, presentWaiting } from './state.ts';
import type { ConferenceRow, TerminalRow } from './tables.ts';

type TerminalContext = Context & { caller: TerminalCaller };
type ControlContext = Context & { caller: TerminalCaller | UserCaller };
type JoinBody = Input<typeof contract.conferences.join>['body'];

const TOKEN_SECONDS = 6 * 60 * 60;
const ALL_SOURCES: MediaSource[] = ['camera', 'microphone', 'screenShare', 'screenShareAudio'];
/** States whose holder belongs to the conference; the others are out for good. */
const PRESENT: ReadonlySet<TerminalRow['state']> = new Set(['waiting', 'admitted', 'lost']);
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
  admission: ReturnType<typeof createAdmission>;
  lifecycle: Lifecycle;
}

export function createConferenceService({ db, push, media, now, capacity, admission, lifecycle }: ConferenceDeps) {
  const publish = (tx: TenantTx, conference: ConferenceRow, event: { type: string } & Record<string, unknown>) =>
    push.publish(tx, `meeting:${conference.meetingId}`, { ...event, conferenceId: conference.id });
  const publishTo = (tx: TenantTx, conference: ConferenceRow, termId: string, type: string) =>
    push.publishTo(tx, `meeting:${conference.meetingId}`, { type, conferenceId: conference.id }, { termId });

  async function refuseFull(tx: TenantTx, conference: ConferenceRow, newcomers: number): Promise<void> {
    if ((await countAdmitted(tx, conference.id)) + newcomers > capacity) throw new AppError('MEETING_FULL', { limit: capacity });
  }

  async function admissionOf(row: TerminalRow, conference: ConferenceRow, sessionToken: string, context: Context): Promise<Admission> {
    const who = { meetId: row.meetingId, termId: row.termId, sessionToken };
    if (row.state === 'waiting') return { state: 'waiting', ...who };
    const token = await media.token({
      room: roomOf(conference), identity: row.termId, name: row.name, metadata: JSON.stringify({ role: row.role }), ttlSeconds: TOKEN_SECONDS,
      canPublish: true, canPublishSources: ALL_SOURCES, canSubscribe: true,
    });
    return { state: 'admitted', ...who, url: media.url(context), token };
  }

  /** The caller's terminal and its conference, held to the end of the transaction. */
  async function own(tx: TenantTx, { caller }: TerminalContext, meetId: string): Promise<{ conference: ConferenceRow; me: TerminalRow }> {
    if (caller.meetId !== meetId) throw new AppError('NOT_FOUND');
    const conference = await findRunning(tx, meetId, true);
    if (conference?.id !== caller.conferenceId) throw new AppError('CONFERENCE_OVER');
    const me = await findTerminal(tx, caller.termId);
    // It may have been refused or removed since it was authenticated.
    if (!me || !PRESENT.has(me.state)) throw new AppError('TERMINAL_GONE');
    return { conference, me };
  }

  /** The same for calls of terminals that are inside. */
  async function inside(tx: TenantTx, context: TerminalContext, meetId: string): Promise<{ conference: ConferenceRow; me: TerminalRow }> {
    const found = await own(tx, context, meetId);
    if (!rightsOf(found.me).speak) throw new AppError('FORBIDDEN');
    if (found.me.state !== 'admitted') throw new AppError('TERMINAL_GONE');
    return found;
  }

  /** The running conference, for somebody who may run it: from inside as host, or signed in as the meeting's host or stand-in. */
  async function controlled(tx: TenantTx, context: ControlContext, meetId: string, right: 'end' | 'admit'): Promise<ConferenceRow> {
    const { caller } = context;
    if (caller.kind === 'terminal') {
      const { conference, me } = await own(tx, { ...context, caller }, meetId);
      if (!rightsOf(me)[right]) throw new AppError('FORBIDDEN');
      return conference;
    }
    const meeting = await findMeeting(tx, meetId);
    const relation = meeting ? relationTo(caller, meeting, await isInvited(tx, meetId, caller.userId)) : 'none';
    if (relation === 'none') throw new AppError('NOT_FOUND');
    if (!mayManage(relation)) throw new AppError('FORBIDDEN');
    const conference = await findRunning(tx, meetId, true);
    if (!conference) throw new AppError('CONFERENCE_OVER');
    return conference;
  }

  return {
    async join(context: Joiner, body: JoinBody): Promise<Admission> {
      const { meeting, role, name } = await admission.check(context, body);
      const opened = await lifecycle.open(meeting);
      const waits = mustWait(role, meeting);
      const sessionToken = newToken();
      const { caller } = context;
      return db.tenant(meeting.tenantId, async (tx) => {
        const conference = await findRunning(tx, meeting.id, true);
        if (conference?.id !== opened.id) throw new AppError('MEETING_ENDED');
        if (!waits && role !== 'host') await refuseFull(tx, conference, 1);
        const at = now();
        const row = await insertTerminal(tx, {
          termId: newTermId(), conferenceId: conference.id, meetingId: meeting.id, tokenHash: hashToken(sessionToken), name, role,
          accountId: caller.kind === 'user' && caller.tenantId === meeting.tenantId ? caller.userId : null,
          state: waits ? 'waiting' : 'admitted', deviceType: body.deviceType, origin: context.origin,
          createdAt: at, admittedAt: waits ? null : at, lastSeenAt: at,
        });
        const answer = await admissionOf(row, conference, sessionToken, context);
        await publish(tx, conference, waits ? { type: 'waitingAdded', terminal: presentWaiting(row) } : { type: 'terminalJoined', terminal: presentTerminal(row) });
        return answer;
      });
    },

    /** The media token of a terminal that is let in, or of one that vanished and is back. */
    async enter(context: TerminalContext, meetId: string): Promise<Admission> {
      if (!media.available()) throw new AppError('MEDIA_UNAVAILABLE');
      return db.tenant(context.caller.tenantId, async (tx) => {
        const { conference, me } = await own(tx, context, meetId);
        // Its push sockets were opened by somebody who waited, or miss what happened while it was away.
        if (me.state !== 'waiting') tx.afterCommit(() => push.refresh({ termIds: [me.termId] }));
        if (me.state !== 'lost') return admissionOf(me, conference, context.caller.sessionToken, context);
        if (me.role !== 'host') await refuseFull(tx, conference, 1);
        const [back] = await updateTerminals(tx, [me.termId], ['lost'], { state: 'admitted', leftAt: null, joinedAt: null, admittedAt: now() });
        if (!back) throw new AppError('TERMINAL_GONE');
        const answer = await admissionOf(back, conference, context.caller.sessionToken, context);
        await publish(tx, conference, { type: 'terminalJoined', terminal: presentTerminal(back) });
        return answer;
      });
    },

    async leave(context: TerminalContext, meetId: string): Promise<void> {
      const { caller } = context;
      if (caller.meetId !== meetId) throw new AppError('NOT_FOUND');
      await db.tenant(caller.tenantId, async (tx) => {
        const conference = await findRunning(tx, meetId, true);
        if (conference?.id !== caller.conferenceId) return;
        const before = await findTerminal(tx, caller.termId);
        const [left] = await updateTerminals(tx, [caller.termId], ['waiting', 'admitted'], { state: 'left', leftAt: now(), handRaisedAt: null });
        if (!left) return;
        await publish(tx, conference, { type: before?.state === 'waiting' ? 'waitingRemoved' : 'terminalLeft', termId: left.termId });
        // Where the engine is away there is nobody to remove, and the answer need not wait for it.
        if (media.available()) tx.afterCommit(() => media.removeParticipant(roomOf(conference), left.termId));
        tx.afterCommit(() => push.disconnect({ termIds: [left.termId] }, 'TERMINAL_GONE'));
      });
    },

    async end(context: ControlContext, meetId: string): Promise<void> {
      const conference = await db.tenant(context.caller.tenantId, (tx) => controlled(tx, context, meetId, 'end'));
      if (!(await lifecycle.end(conference, 'ended', 'end'))) throw new AppError('CONFERENCE_OVER');
    },

    /** Lets waiting terminals in, all or none, or refuses them; ids of terminals that do not wait any more are passed over. */
    async admit(context: ControlContext, meetId: string, termIds: readonly string[], admit: boolean): Promise<void> {
      await db.tenant(context.caller.tenantId, async (tx) => {
        const conference = await controlled(tx, context, meetId, 'admit');
        const waiting = (await findPresent(tx, [conference.id])).filter((row) => row.state === 'waiting' && termIds.includes(row.termId));
        if (admit) await refuseFull(tx, conference, waiting.length);
        const at = now();
        const ids = waiting.map((row) => row.termId);
        const rows = await updateTerminals(tx, ids, ['waiting'], admit ? { state: 'admitted', admittedAt: at } : { state: 'refused', leftAt: at });
        for (const row of rows) {
          await publishTo(tx, conference, row.termId, admit ? 'admitted' : 'refused');
          await publish(tx, conference, { type: 'waitingRemoved', termId: row.termId });
          if (admit) await publish(tx, conference, { type: 'terminalJoined', terminal: presentTerminal(row) });
        }
      });
    },

    async raiseHand(context: TerminalContext, meetId: string, raised: boolean): Promise<void> {
      await db.tenant(context.caller.tenantId, async (tx) => {
        const { conference, me } = await inside(tx, context, meetId);
        if ((me.handRaisedAt !== null) === raised) return;
        const [row] = await updateTerminals(tx, [me.termId], ['admitted'], { handRaisedAt: raised ? now() : null });
        if (row) await publish(tx, conference, { type: 'terminalChanged', terminal: presentTerminal(row) });
      });
    },

    /** Says something once, however often the call is repeated. */
    async say(context: TerminalContext, meetId: string, { id, text }: { id: string; text: string }): Promise<Data<typeof contract.conferences.chat>> {
      return db.tenant(context.caller.tenantId, async (tx) => {
        const { conference, me } = await inside(tx, context, meetId);
        const { row, isNew } = await insertMessage(tx, { id, conferenceId: conference.id, termId: me.termId, name: me.name, text, sentAt: now() });
        if (row.termId !== me.termId) throw new AppError('INVALID_INPUT');
        const message = presentMessage(row);
        if (isNew) await publish(tx, conference, { type: 'chat', message });
        return message;
      });
    },

    /** Whose conference token this is. Terminals of a conference that has just ended are known still, to be told that it is over. */
    async authenticate(token: string): Promise<TerminalCaller | 'TERMINAL_GONE'> {
      return db.platform(async (tx) => {
        const row = await findTerminalByToken(tx, hashToken(token));
        if (!row) return 'TERMINAL_GONE';
        const conference = await findConference(tx, row.conferenceId);
        const isPresent = PRESENT.has(row.state);
        const wasThereAtTheEnd = conference?.endedAt !== null && row.leftAt?.getTime() === conference?.endedAt.getTime();
        if (!isPresent && !wasThereAtTheEnd) return 'TERMINAL_GONE';
        const account = row.accountId === null ? null : await findAccount(tx, row.accountId);
        const tenant = await findTenant(tx, row.tenantId);
        if (!tenant?.enabled || account?.enabled === false) return 'TERMINAL_GONE';
        return {
          kind: 'terminal', tenantId: row.tenantId, meetId: row.meetingId, conferenceId: row.conferenceId, termId: row.termId, name: row.name, role: row.role,
          state: row.state === 'lost' ? 'lost' : row.admittedAt === null ? 'waiting' : 'admitted', sessionToken: token, admittedAt: row.admittedAt,
        };
      });
    },
  };
}

export type ConferenceService = ReturnType<typeof createConferenceService>;
