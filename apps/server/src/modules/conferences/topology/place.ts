import type { Data, contract, ConferenceTopology, MediaZone } from '@rmeet/contract';
import type { Db } from '../../../platform/db/index.ts';
import { AppError } from '../../../platform/http/index.ts';
import type { Log } from '../../../platform/log/log.ts';
import type { Media } from '../../../platform/media/index.ts';
import { partsOfCaller, authorize, type Control, type ControlContext } from '../control/index.ts';
import type { Reports } from '../desk/reports.ts';
import { mediaOf, roomName } from '../engine/media-rooms.ts';
import { mayDo } from '../policy.ts';
import { findPresent, findRunning } from '../repo.ts';
import type { ConferenceRow, TerminalRow } from '../tables.ts';
import { flowOf, zonesOf } from './graph.ts';

export interface PlacesDeps {
  db: Db;
  media: Media;
  log: Log;
  control: Control;
  reports: Pick<Reports, 'newest'>;
}

type Place = Data<typeof contract.conferences.meetingPlace>;

/** The media server of a conference; the one it was placed on while the engine does not answer. */
async function serverOf(
  { media, log }: Pick<PlacesDeps, 'media' | 'log'>,
  conference: ConferenceRow,
): Promise<string | null> {
  const engine = mediaOf(media, conference);
  if (!engine.available()) return conference.mcuId;
  try {
    return (await engine.serverOf(roomName(conference))) ?? conference.mcuId;
  } catch (error) {
    log.debug({ error, conferenceId: conference.id }, 'The media server of a conference was not found');
    return conference.mcuId;
  }
}

/** Where conferences run. */
export function createPlaces({ db, media, log, control, reports }: PlacesDeps) {
  return {
    /** All zones, for accounts, desks, and terminals that control their conference. */
    zones(caller: ControlContext['caller']): Promise<MediaZone[]> {
      if (caller.kind === 'terminal' && !mayDo(caller.parts, 'control')) throw new AppError('FORBIDDEN');
      return zonesOf(media);
    },

    /**
     * Where a meeting is running, or will be running: in this server's own zone. Throws NOT_FOUND, and for a terminal
     * CONFERENCE_OVER.
     */
    async of({ caller }: ControlContext, meetId: string): Promise<Place> {
      const running = await db.tenant(caller.tenantId, async (tx) => {
        const parts =
          caller.kind === 'terminal'
            ? (await authorize(tx, caller, meetId, false)).parts
            : await partsOfCaller(tx, caller, meetId);
        if (!mayDo(parts, 'see')) throw new AppError('FORBIDDEN');
        return findRunning(tx, meetId);
      });
      if (!running) return { meetId, running: false, mcuZoneId: media.zone.id, mcuId: null };
      return {
        meetId,
        running: true,
        mcuZoneId: mediaOf(media, running).zone.id,
        mcuId: await serverOf({ media, log }, running),
      };
    },

    /** The topology of a running conference, for callers who may open its desk or control it. */
    async topology(context: ControlContext, meetId: string): Promise<ConferenceTopology> {
      const { conference, present } = await db.tenant(context.caller.tenantId, async (tx) => {
        const authorization = await control.seeing(tx, context, meetId);
        if (!mayDo(authorization.parts, 'desk') && !mayDo(authorization.parts, 'control'))
          throw new AppError('FORBIDDEN');
        return { conference: authorization.conference, present: await findPresent(tx, [authorization.conference.id]) };
      });
      const [zones, mcuId, newest] = await Promise.all([
        zonesOf(media),
        serverOf({ media, log }, conference),
        reports.newest(conference),
      ]);
      const mcuZoneId = mediaOf(media, conference).zone.id;
      const presentOne = ({ termId, name, deviceType }: TerminalRow) => ({
        termId,
        name,
        deviceType,
        mcuZoneId,
        mcuId,
        ...flowOf(newest.get(termId)),
      });
      return {
        meetId,
        generation: conference.generation,
        mcuZoneId,
        mcuId,
        zones,
        cascades: [],
        terminals: present.filter(({ state }) => state === 'admitted').map(presentOne),
      };
    },
  };
}

export type Places = ReturnType<typeof createPlaces>;
