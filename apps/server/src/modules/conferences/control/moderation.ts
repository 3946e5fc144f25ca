import type { ConferenceCommand } from '@rmeet/conference';
import type { CommandAnswer } from '@rmeet/contract';
import type { Db, TenantTx } from '../../../platform/db/index.ts';
import { AppError, type Context, type TerminalCaller } from '../../../platform/http/index.ts';
import type { Media } from '../../../platform/media/index.ts';
import type { Push } from '../../../platform/push/index.ts';
import { publishDeskWaiting } from '../desk/events.ts';
import { roomsOf } from '../engine/lifecycle.ts';
import { takePlaces } from '../joining/capacity.ts';
import { mayCommand, mayDo, mayPutOut, partsOf } from '../policy.ts';
import { findPresent, findTerminals, updateTerminals } from '../repo.ts';
import { presentWaiting } from '../state.ts';
import type { ConferenceRow, TerminalRow } from '../tables.ts';
import type { Control } from './control.ts';
import type { LetIn } from './waiting-room.ts';
import { standingIn, type ControlContext, type Standing } from './authorization.ts';

export interface PeopleDeps {
  db: Db;
  push: Push;
  media: Media;
  now: () => Date;
  capacity: number;
  control: Control;
  letIn: LetIn;
}

type TerminalContext = Context & { caller: TerminalCaller };

/** Who is let in, put out and sent back, and what terminals do for themselves. */
export function createPeople({ db, push, media, now, capacity, control, letIn }: PeopleDeps) {
  const publish = (tx: TenantTx, conference: ConferenceRow, event: { type: string } & Record<string, unknown>) =>
    push.publish(tx, `meeting:${conference.meetingId}`, { ...event, conferenceId: conference.id });
  const publishTo = (
    tx: TenantTx,
    conference: ConferenceRow,
    termId: string,
    event: { type: string } & Record<string, unknown>,
  ) => push.publishTo(tx, `meeting:${conference.meetingId}`, { ...event, conferenceId: conference.id }, { termId });

  async function publishWaiting(tx: TenantTx, conference: ConferenceRow, row: TerminalRow): Promise<void> {
    await publish(tx, conference, { type: 'waitingAdded', terminal: presentWaiting(row) });
    await publishDeskWaiting(push, tx, conference, row);
  }

  async function waitingOf(
    tx: TenantTx,
    conference: ConferenceRow,
    termIds: readonly string[],
  ): Promise<TerminalRow[]> {
    return (await findPresent(tx, [conference.id])).filter(
      (row) => row.state === 'waiting' && termIds.includes(row.termId),
    );
  }

  /** Nobody puts out whoever stands above them. */
  async function checkRanks(tx: TenantTx, { conference, parts }: Standing, termIds: readonly string[]): Promise<void> {
    const others = await findTerminals(tx, termIds);
    if (!others.every((row) => mayPutOut(parts, partsOf(row, conference.control)))) throw new AppError('FORBIDDEN');
  }

  /** Once they are told, they are no longer where they were. */
  async function putOut(
    context: ControlContext,
    meetId: string,
    command: Extract<ConferenceCommand, { verb: 'remove' | 'sendBack' }>,
    effect: (tx: TenantTx, conference: ConferenceRow, rows: TerminalRow[]) => Promise<void>,
  ): Promise<CommandAnswer> {
    return control.command(
      context,
      meetId,
      command.verb,
      () => command,
      async (tx, standing, { termIds }) => {
        await checkRanks(tx, standing, termIds);
        const at = now();
        const set: Partial<TerminalRow> =
          command.verb === 'remove'
            ? { state: 'removed', leftAt: at, handRaisedAt: null, barred: !command.canReturn }
            : { state: 'waiting', admittedAt: null, joinedAt: null, handRaisedAt: null, message: null, lastSeenAt: at };
        const rows = await updateTerminals(tx, termIds, ['admitted'], set);
        await effect(tx, standing.conference, rows);
        const open = roomsOf(media, standing.conference, at).filter((room) => room.media.available());
        tx.afterCommit(() =>
          Promise.all(
            open.flatMap((room) => rows.map(({ termId }) => room.media.removeParticipant(room.name, termId))),
          ).then(() => undefined),
        );
      },
    );
  }

  return {
    /** Lets waiting terminals in, all or none; ids of terminals that do not wait any more are passed over. */
    async admit(context: ControlContext, meetId: string, termIds: readonly string[]): Promise<void> {
      await db.tenant(context.caller.tenantId, async (tx) => {
        const { conference, by } = await control.commanding(tx, context, meetId, 'admit');
        const waiting = await waitingOf(tx, conference, termIds);
        if (waiting.length === 0) return;
        await takePlaces(tx, conference, waiting.length, capacity);
        await letIn.letIn(tx, conference, waiting, by, context);
      });
    },

    /** Refuses waiting terminals for good, with a reason they are told. */
    async refuse(context: ControlContext, meetId: string, termIds: readonly string[], reason: string): Promise<void> {
      await db.tenant(context.caller.tenantId, async (tx) => {
        const { conference, by } = await control.commanding(tx, context, meetId, 'refuse');
        const waiting = (await waitingOf(tx, conference, termIds)).map((row) => row.termId);
        if (waiting.length === 0) return;
        const rows = await updateTerminals(tx, waiting, ['waiting'], { state: 'refused', leftAt: now() });
        await control.execute(tx, conference, { verb: 'refuse', termIds: waiting, reason }, by, context);
        for (const { termId } of rows) {
          await publishTo(tx, conference, termId, { type: 'refused', reason });
          await publish(tx, conference, { type: 'waitingRemoved', termId });
        }
      });
    },

    /** Puts terminals out; without `canReturn` those people stay out of this conference. */
    remove(context: ControlContext, meetId: string, termIds: string[], canReturn: boolean): Promise<CommandAnswer> {
      return putOut(context, meetId, { verb: 'remove', termIds, canReturn }, async (tx, conference, rows) => {
        for (const { termId } of rows) await publishTo(tx, conference, termId, { type: 'removed', canReturn });
        tx.afterCommit(() => push.disconnect({ termIds: rows.map(({ termId }) => termId) }, 'TERMINAL_REMOVED'));
      });
    },

    /** Sends terminals back to the waiting room. */
    sendBack(context: ControlContext, meetId: string, termIds: string[]): Promise<CommandAnswer> {
      return putOut(context, meetId, { verb: 'sendBack', termIds }, async (tx, conference, rows) => {
        for (const row of rows) {
          await publishTo(tx, conference, row.termId, { type: 'sentBack' });
          await publishWaiting(tx, conference, row);
        }
        tx.afterCommit(() => push.refresh({ termIds: rows.map(({ termId }) => termId) }));
      });
    },

    /**
     * The terminal lets itself be heard again, or answers that it was asked to. Nothing happens when it is heard
     * anyway.
     */
    async selfUnmute(context: TerminalContext, meetId: string): Promise<void> {
      await db.tenant(context.caller.tenantId, async (tx) => {
        const { conference, parts, by, me } = await standingIn(tx, context.caller, meetId, true);
        if (!mayCommand(parts, 'selfUnmute')) throw new AppError('FORBIDDEN');
        const { terminals, allowSelfUnmute } = conference.control;
        const entry = me && terminals[me.termId];
        if (!me || !entry?.present) throw new AppError('TERMINAL_GONE');
        if (!entry.muted && !entry.unmuteAsked) return;
        if (!allowSelfUnmute && !entry.unmuteAsked && !mayDo(parts, 'control'))
          throw new AppError('SELF_UNMUTE_FORBIDDEN');
        await control.execute(tx, conference, { verb: 'selfUnmute', termId: me.termId }, by, null);
      });
    },

    /** Somebody waiting leaves the chair one message. */
    async knock(context: TerminalContext, meetId: string, text: string): Promise<void> {
      await db.tenant(context.caller.tenantId, async (tx) => {
        const { conference, parts, me } = await standingIn(tx, context.caller, meetId, true);
        if (!me || !mayDo(parts, 'messageChair')) throw new AppError('FORBIDDEN');
        if (me.message !== null) throw new AppError('MESSAGE_SENT_ALREADY');
        const [row] = await updateTerminals(tx, [me.termId], ['waiting'], { message: text });
        if (row) await publishWaiting(tx, conference, row);
      });
    },
  };
}

export type People = ReturnType<typeof createPeople>;
