import { eq } from 'drizzle-orm';
import type { ConferenceCommand } from '@rmeet/conference';
import type { CommandAnswer } from '@rmeet/contract';
import type { Db, TenantTx } from '../../../platform/db/index.ts';
import { AppError } from '../../../platform/http/index.ts';
import type { Log } from '../../../platform/log/log.ts';
import type { Media } from '../../../platform/media/index.ts';
import type { Control, ControlContext } from '../control/index.ts';
import type { Lifecycle } from '../engine/lifecycle.ts';
import { mediaOf, roomName } from '../engine/media-rooms.ts';
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
 * Moves running conferences to other media servers: creates the next room first, and only then tells terminals to move.
 * If the room cannot be created, nothing changes. The reconciler deletes the old room after all terminals have left.
 */
export class Moves {
  readonly #deps: MovesDeps;

  constructor(deps: MovesDeps) {
    this.#deps = deps;
  }

  /** Moves to another zone. Throws ZONE_UNKNOWN, ZONE_NOT_CURRENT, ZONE_UNAVAILABLE, and what every command throws. */
  moveZone(context: ControlContext, meetId: string, fromZoneId: string, zoneId: string): Promise<CommandAnswer> {
    const { media } = this.#deps;
    return this.#move(context, meetId, 'moveZone', async (conference) => {
      const known = new Set(media.zones().map(({ zone }) => zone.id));
      for (const zone of [fromZoneId, zoneId]) if (!known.has(zone)) throw new AppError('ZONE_UNKNOWN', { zone });
      if (mediaOf(media, conference).zone.id !== fromZoneId)
        throw new AppError('ZONE_NOT_CURRENT', { zone: fromZoneId });
      return { target: { zoneId, mcuId: null }, command: { verb: 'moveZone', fromZoneId, zoneId, mcuId: null } };
    });
  }

  /**
   * Moves within the zone, to the least loaded of these media servers that accepts rooms, or to any server if none is
   * named. Throws MCU_UNKNOWN, ZONE_UNAVAILABLE, and what every command throws.
   */
  reset(context: ControlContext, meetId: string, mcuIds: readonly string[]): Promise<CommandAnswer> {
    return this.#move(context, meetId, 'reset', async (conference) => {
      const engine = mediaOf(this.#deps.media, conference);
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
  }

  async #move(
    context: ControlContext,
    meetId: string,
    verb: Verb,
    targetOf: (conference: ConferenceRow) => Promise<{ target: Target; command: Move }>,
  ): Promise<CommandAnswer> {
    const { db, control, lifecycle } = this.#deps;
    const conference = await db.tenant(context.caller.tenantId, async (tx) => {
      const authorization = await control.seeing(tx, context, meetId);
      if (!mayCommand(authorization.parts, verb)) throw new AppError('FORBIDDEN');
      return authorization.conference;
    });
    const { target, command } = await targetOf(conference);
    await lifecycle.makeNext(conference, target);
    try {
      return await control.command(
        context,
        meetId,
        verb,
        ({ conference: locked }) => {
          // Another move was faster.
          if (locked.id !== conference.id || locked.generation !== conference.generation)
            throw new AppError('SERVICE_BUSY');
          return command;
        },
        (tx, { conference: locked }) => this.#storeTarget(tx, locked, target),
      );
    } catch (error) {
      await this.#dropUnusedRoom(conference, target);
      throw error;
    }
  }

  async #storeTarget(tx: TenantTx, conference: ConferenceRow, { zoneId, mcuId }: Target): Promise<void> {
    const set = { zoneId, mcuId, previousZoneId: conference.zoneId, movedAt: this.#deps.now() };
    await tx.update(table, set, eq(table.id, conference.id));
    Object.assign(conference, set);
  }

  /** Deletes the room that was created for a failed move, unless another move uses it. */
  async #dropUnusedRoom(conference: ConferenceRow, { zoneId }: Target): Promise<void> {
    const { db, media, log } = this.#deps;
    try {
      const current = await db.tenant(conference.tenantId, (tx) => findRunning(tx, conference.meetingId));
      const isUsed =
        current?.id === conference.id && current.generation > conference.generation && current.zoneId === zoneId;
      if (!isUsed)
        await media.in(zoneId).deleteRoom(roomName({ id: conference.id, generation: conference.generation + 1 }));
    } catch (error) {
      log.warn(
        { error, conferenceId: conference.id },
        'The unused room of a failed move was not deleted; the engine deletes it after an hour without participants',
      );
    }
  }
}
