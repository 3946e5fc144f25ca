import type { ConferenceCommand } from '@rmeet/conference';
import type { CommandAnswer } from '@rmeet/contract';
import type { Db, TenantTx } from '../../../platform/db/index.ts';
import { AppError, type Context, type TerminalCaller } from '../../../platform/http/index.ts';
import type { Media } from '../../../platform/media/index.ts';
import type { Push } from '../../../platform/push/index.ts';
import { publishDeskWaiting } from '../desk/events.ts';
import { openRooms } from '../engine/media-rooms.ts';
import { reserveCapacity } from '../joining/capacity.ts';
import { mayCommand, mayDo, mayRemove, partsOf } from '../policy.ts';
import { findPresent, findTerminals, updateTerminals } from '../repo.ts';
import { presentWaiting } from '../state.ts';
import type { ConferenceRow, TerminalRow } from '../tables.ts';
import type { Admitter } from './admitter.ts';
import { authorize, type Authorization, type ControlContext } from './authorization.ts';
import type { Control } from './control.ts';

export interface ModerationDeps {
  db: Db;
  push: Push;
  media: Media;
  now: () => Date;
  capacity: number;
  control: Control;
  admitter: Admitter;
}

type TerminalContext = Context & { caller: TerminalCaller };
type Event = { type: string } & Record<string, unknown>;

/** Admits, refuses and removes terminals, and handles their own requests to be unmuted or admitted. */
export class Moderation {
  readonly #deps: ModerationDeps;

  constructor(deps: ModerationDeps) {
    this.#deps = deps;
  }

  /** Admits waiting terminals, all or none. Skips ids of terminals that no longer wait. */
  async admit(context: ControlContext, meetId: string, termIds: readonly string[]): Promise<void> {
    const { db, capacity, control, admitter } = this.#deps;
    await db.tenant(context.caller.tenantId, async (tx) => {
      const { conference, by } = await control.commanding(tx, context, meetId, 'admit');
      const waiting = await findWaiting(tx, conference, termIds);
      if (waiting.length === 0) return;
      await reserveCapacity(tx, conference, waiting.length, capacity);
      await admitter.admit(tx, conference, waiting, by, context);
    });
  }

  /** Refuses waiting terminals for good, and tells them the reason. */
  async refuse(context: ControlContext, meetId: string, termIds: readonly string[], reason: string): Promise<void> {
    const { db, control, now } = this.#deps;
    await db.tenant(context.caller.tenantId, async (tx) => {
      const { conference, by } = await control.commanding(tx, context, meetId, 'refuse');
      const waiting = (await findWaiting(tx, conference, termIds)).map((row) => row.termId);
      if (waiting.length === 0) return;
      const rows = await updateTerminals(tx, waiting, ['waiting'], { state: 'refused', leftAt: now() });
      await control.execute(tx, conference, { verb: 'refuse', termIds: waiting, reason }, by, context);
      for (const { termId } of rows) {
        await this.#publishTo(tx, conference, termId, { type: 'refused', reason });
        await this.#publish(tx, conference, { type: 'waitingRemoved', termId });
      }
    });
  }

  /** Removes terminals. Without `canReturn`, their people cannot join this conference again. */
  remove(context: ControlContext, meetId: string, termIds: string[], canReturn: boolean): Promise<CommandAnswer> {
    return this.#remove(context, meetId, { verb: 'remove', termIds, canReturn }, async (tx, conference, rows) => {
      for (const { termId } of rows) await this.#publishTo(tx, conference, termId, { type: 'removed', canReturn });
      const removed = rows.map(({ termId }) => termId);
      tx.afterCommit(() => this.#deps.push.disconnect({ termIds: removed }, 'TERMINAL_REMOVED'));
    });
  }

  /** Sends terminals back to the waiting room. */
  sendBack(context: ControlContext, meetId: string, termIds: string[]): Promise<CommandAnswer> {
    return this.#remove(context, meetId, { verb: 'sendBack', termIds }, async (tx, conference, rows) => {
      for (const row of rows) {
        await this.#publishTo(tx, conference, row.termId, { type: 'sentBack' });
        await this.#publishWaiting(tx, conference, row);
      }
      tx.afterCommit(() => this.#deps.push.refresh({ termIds: rows.map(({ termId }) => termId) }));
    });
  }

  /** Unmutes the calling terminal, or accepts a request to unmute. Does nothing if it is not muted. */
  async selfUnmute(context: TerminalContext, meetId: string): Promise<void> {
    const { db, control } = this.#deps;
    await db.tenant(context.caller.tenantId, async (tx) => {
      const { conference, parts, by, me } = await authorize(tx, context.caller, meetId, true);
      if (!mayCommand(parts, 'selfUnmute')) throw new AppError('FORBIDDEN');
      const { terminals, allowSelfUnmute } = conference.control;
      const entry = me && terminals[me.termId];
      if (!me || !entry?.present) throw new AppError('TERMINAL_GONE');
      if (!entry.muted && !entry.unmuteAsked) return;
      if (!allowSelfUnmute && !entry.unmuteAsked && !mayDo(parts, 'control'))
        throw new AppError('SELF_UNMUTE_FORBIDDEN');
      await control.execute(tx, conference, { verb: 'selfUnmute', termId: me.termId }, by, null);
    });
  }

  /** Leaves the chair one message from a waiting terminal. */
  async knock(context: TerminalContext, meetId: string, text: string): Promise<void> {
    await this.#deps.db.tenant(context.caller.tenantId, async (tx) => {
      const { conference, parts, me } = await authorize(tx, context.caller, meetId, true);
      if (!me || !mayDo(parts, 'messageChair')) throw new AppError('FORBIDDEN');
      if (me.message !== null) throw new AppError('MESSAGE_SENT_ALREADY');
      const [row] = await updateTerminals(tx, [me.termId], ['waiting'], { message: text });
      if (row) await this.#publishWaiting(tx, conference, row);
    });
  }

  /**
   * Takes terminals out of the conference, and out of its media rooms after the commit.
   *
   * @param effect publishes what happens to them
   */
  async #remove(
    context: ControlContext,
    meetId: string,
    command: Extract<ConferenceCommand, { verb: 'remove' | 'sendBack' }>,
    effect: (tx: TenantTx, conference: ConferenceRow, rows: TerminalRow[]) => Promise<void>,
  ): Promise<CommandAnswer> {
    const { media, control, now } = this.#deps;
    return control.command(
      context,
      meetId,
      command.verb,
      () => command,
      async (tx, authorization, { termIds }) => {
        const { conference } = authorization;
        await checkRanks(tx, authorization, termIds);
        const at = now();
        const set: Partial<TerminalRow> =
          command.verb === 'remove'
            ? { state: 'removed', leftAt: at, handRaisedAt: null, banned: !command.canReturn }
            : { state: 'waiting', admittedAt: null, joinedAt: null, handRaisedAt: null, message: null, lastSeenAt: at };
        const rows = await updateTerminals(tx, termIds, ['admitted'], set);
        await effect(tx, conference, rows);
        const rooms = openRooms(media, conference, at).filter((room) => room.media.available());
        tx.afterCommit(async () => {
          await Promise.all(
            rooms.flatMap((room) => rows.map(({ termId }) => room.media.removeParticipant(room.name, termId))),
          );
        });
      },
    );
  }

  #publish(tx: TenantTx, { id, meetingId }: ConferenceRow, event: Event): Promise<number> {
    return this.#deps.push.publish(tx, `meeting:${meetingId}`, { ...event, conferenceId: id });
  }

  #publishTo(tx: TenantTx, { id, meetingId }: ConferenceRow, termId: string, event: Event): Promise<number> {
    return this.#deps.push.publishTo(tx, `meeting:${meetingId}`, { ...event, conferenceId: id }, { termId });
  }

  async #publishWaiting(tx: TenantTx, conference: ConferenceRow, row: TerminalRow): Promise<void> {
    await this.#publish(tx, conference, { type: 'waitingAdded', terminal: presentWaiting(row) });
    await publishDeskWaiting(this.#deps.push, tx, conference, row);
  }
}

async function findWaiting(
  tx: TenantTx,
  conference: ConferenceRow,
  termIds: readonly string[],
): Promise<TerminalRow[]> {
  return (await findPresent(tx, [conference.id])).filter(
    (row) => row.state === 'waiting' && termIds.includes(row.termId),
  );
}

/** @throws AppError FORBIDDEN if one of the terminals ranks higher than the caller */
async function checkRanks(
  tx: TenantTx,
  { conference, parts }: Authorization,
  termIds: readonly string[],
): Promise<void> {
  const others = await findTerminals(tx, termIds);
  if (!others.every((row) => mayRemove(parts, partsOf(row, conference.control)))) throw new AppError('FORBIDDEN');
}
