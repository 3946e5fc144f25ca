import { eq } from 'drizzle-orm';
import type { ConferenceCommand } from '@rmeet/conference';
import type { CommandAnswer } from '@rmeet/contract';
import type { Db, TenantTx } from '../../../platform/db/index.ts';
import { AppError } from '../../../platform/http/index.ts';
import type { Log } from '../../../platform/log/log.ts';
import type { Media } from '../../../platform/media/index.ts';
import type { Control, ControlContext } from '../control/index.ts';
import { mediaOf, roomOf, type Lifecycle } from '../engine/lifecycle.ts';
import { mayCommand } from '../policy.ts';
import { findRunning } from '../repo.ts';
import { conference as table, type ConferenceRow } from '../tables.ts';

export interface MovesDeps {
  db: Db;
  media: Media;
  log: Log;
  now: () => Date;
  control: Control;
  lifecycle: Pick<Lifecycle, 'makeNext'>;
}

type Verb = 'moveZone' | 'reset';
type Move = Extract<ConferenceCommand, { verb: Verb }>;

interface Target {
  zoneId: string;
  mcuId: string | null;
}

/**
 * Brings running conferences to other media servers: the next room is made first, and only then are the terminals told
 * to go over. Where it cannot be made nothing has changed. The reconciler takes the old room away once all have left
 * it.
 */
export function createMoves({ db, media, log, now, control, lifecycle }: MovesDeps) {
  /** The room that was made for a move that did not come about, unless another move has taken it. */
  async function takeBack(conference: ConferenceRow, { zoneId }: Target): Promise<void> {
    try {
      const present = await db.tenant(conference.tenantId, (tx) => findRunning(tx, conference.meetingId));
      const isTaken =
        present?.id === conference.id && present.generation > conference.generation && present.zoneId === zoneId;
      if (!isTaken)
        await media.in(zoneId).deleteRoom(roomOf({ id: conference.id, generation: conference.generation + 1 }));
    } catch (error) {
      log.warn(
        { error, conferenceId: conference.id },
        'A room that nobody moves to was not deleted; the engine does when it has been empty for an hour',
      );
    }
  }

  async function settle(tx: TenantTx, conference: ConferenceRow, { zoneId, mcuId }: Target): Promise<void> {
    const set = { zoneId, mcuId, previousZoneId: conference.zoneId, movedAt: now() };
    await tx.update(table, set, eq(table.id, conference.id));
    Object.assign(conference, set);
  }

  async function move(
    context: ControlContext,
    meetId: string,
    verb: Verb,
    targetOf: (conference: ConferenceRow) => Promise<{ target: Target; command: Move }>,
  ): Promise<CommandAnswer> {
    const conference = await db.tenant(context.caller.tenantId, async (tx) => {
      const standing = await control.seeing(tx, context, meetId);
      if (!mayCommand(standing.parts, verb)) throw new AppError('FORBIDDEN');
      return standing.conference;
    });
    const { target, command } = await targetOf(conference);
    await lifecycle.makeNext(conference, target);
    try {
      return await control.command(
        context,
        meetId,
        verb,
        ({ conference: held }) => {
          // Somebody else was quicker.
          if (held.id !== conference.id || held.generation !== conference.generation)
            throw new AppError('SERVICE_BUSY');
          return command;
        },
        (tx, { conference: held }) => settle(tx, held, target),
      );
    } catch (error) {
      await takeBack(conference, target);
      throw error;
    }
  }

  return {
    /** To another zone. Throws ZONE_UNKNOWN, ZONE_NOT_CURRENT, ZONE_UNAVAILABLE, and what every command throws. */
    moveZone(context: ControlContext, meetId: string, fromZoneId: string, zoneId: string): Promise<CommandAnswer> {
      return move(context, meetId, 'moveZone', async (conference) => {
        const known = new Set(media.zones().map(({ zone }) => zone.id));
        for (const zone of [fromZoneId, zoneId]) if (!known.has(zone)) throw new AppError('ZONE_UNKNOWN', { zone });
        if (mediaOf(media, conference).zone.id !== fromZoneId)
          throw new AppError('ZONE_NOT_CURRENT', { zone: fromZoneId });
        return { target: { zoneId, mcuId: null }, command: { verb: 'moveZone', fromZoneId, zoneId, mcuId: null } };
      });
    },

    /**
     * Anew on these media servers of its zone, the least loaded that takes rooms first; on any where none is named.
     * Throws MCU_UNKNOWN, ZONE_UNAVAILABLE, and what every command throws.
     */
    reset(context: ControlContext, meetId: string, mcuIds: readonly string[]): Promise<CommandAnswer> {
      return move(context, meetId, 'reset', async (conference) => {
        const engine = mediaOf(media, conference);
        const servers = mcuIds.length === 0 ? [] : await engine.servers();
        const unknown = mcuIds.find((mcuId) => !servers.some(({ id }) => id === mcuId));
        if (unknown !== undefined) throw new AppError('MCU_UNKNOWN', { mcu: unknown });
        const [best] = servers
          .filter(({ id, state }) => mcuIds.includes(id) && state === 'up')
          .toSorted((a, b) => (a.load ?? 0) - (b.load ?? 0));
        if (mcuIds.length > 0 && !best) throw new AppError('ZONE_UNAVAILABLE');
        const mcuId = best?.id ?? null;
        return { target: { zoneId: engine.zone.id, mcuId }, command: { verb: 'reset', mcuId } };
      });
    },
  };
}

export type Moves = ReturnType<typeof createMoves>;
