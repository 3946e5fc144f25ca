import type { RoomFigures } from '../metrics.ts';
import type { Room } from './room.ts';

/** The figures of a room, for the metrics. */
export function figuresOf(room: Room): RoomFigures {
  const figures: RoomFigures = {
    participants: room.participants.size,
    tracks: 0,
    subscriptions: 0,
    paused: 0,
    estimates: [],
  };
  for (const participant of room.participants.values()) {
    figures.tracks += participant.publications.published.length;
    const { streams } = participant.subscriptions;
    const { bitrate } = participant.connection.bandwidth;
    figures.subscriptions += streams.length;
    figures.paused += streams.filter((stream) => stream.paused).length;
    if (streams.length > 0 && Number.isFinite(bitrate)) figures.estimates.push(Math.round(bitrate));
  }
  return figures;
}
