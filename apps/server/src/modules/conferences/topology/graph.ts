import type { ConferenceTopology, MediaZone, TerminalReport } from '@rmeet/contract';
import type { Media } from '../../../platform/media/index.ts';

type Flow = Pick<ConferenceTopology['terminals'][number], 'up' | 'down' | 'loss' | 'roundTrip'>;

const UNKNOWN: Flow = { up: null, down: null, loss: null, roundTrip: null };

/** The traffic between a terminal and its media server, as measured by the terminal; the loss also by the engine. */
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

/** All media zones with their servers and current states. */
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
