import type { ConferenceTopology, MediaZone, TerminalReport } from '@rmeet/contract';
import type { Media } from '../../../platform/media/index.ts';

type Flow = Pick<ConferenceTopology['terminals'][number], 'up' | 'down' | 'loss' | 'roundTrip'>;

const UNKNOWN: Flow = { up: null, down: null, loss: null, roundTrip: null };

/**
 * What flows between a terminal and its media server, as the terminal itself measured it; of what the engine measured
 * its loss alone.
 */
export function flowOf(report: TerminalReport | undefined): Flow {
  if (!report) return UNKNOWN;
  const sum = (direction: 'up' | 'down'): number =>
    report.streams.reduce(
      (total, one) => total + (one.direction === direction && one.end === 'terminal' ? (one.bitrate ?? 0) : 0),
      0,
    );
  const losses = report.streams.flatMap(({ loss }) => loss ?? []);
  return {
    up: sum('up'),
    down: sum('down'),
    loss: losses.length === 0 ? null : Math.max(...losses),
    roundTrip: report.roundTrip,
  };
}

/** Every media zone with its servers, as they do now. */
export function zonesOf(media: Media): Promise<MediaZone[]> {
  return Promise.all(
    media.zones().map(async (engine): Promise<MediaZone> => {
      const { id, name } = engine.zone;
      const servers = await engine.servers();
      return {
        mcuZoneId: id,
        name,
        available: engine.available(),
        mcus: servers.map(({ id: mcuId, state, load }) => ({ mcuId, state, load })),
      };
    }),
  );
}
