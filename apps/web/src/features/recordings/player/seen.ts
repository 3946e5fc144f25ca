import { layoutOf, NO_CONTROL, withChanges, type ConferenceControl, type LayoutCell } from '@rmeet/conference';
import type { RecordingTimeline, RecordingTrack } from '@rmeet/contract';
import { lastAt, type Floor } from './floor.ts';
import { isCovered } from './placed.ts';

/** Pictures that a browser decodes at once. */
const MOST = 9;

/** What the meeting as it was seen is made of. */
export interface Seen {
  tracks: readonly RecordingTrack[];
  states: readonly { at: number; control: ConferenceControl }[];
  floor: readonly Floor[];
}

/** A picture, its place, and the track that it comes from; null: there is only the name. */
export interface SeenCell extends LayoutCell {
  name: string;
  isOnAir: boolean;
  track: RecordingTrack | null;
}

/** The states of a conference during a recording, in order of time. */
export function statesOf({ first, steps }: RecordingTimeline['control']): { at: number; control: ConferenceControl }[] {
  let control = first;
  return [
    { at: 0, control },
    ...steps.map(({ at, version, changes }) => ({ at, control: (control = withChanges(control, changes, version)) })),
  ];
}

/** Who is in the conference, in order of arrival; without a log, those of whom there is something. */
function presentAt({ terminals }: ConferenceControl, tracks: Seen['tracks'], time: number): string[] {
  const present = Object.entries(terminals)
    .filter(([, { present: isPresent }]) => isPresent)
    .toSorted(([, a], [, b]) => a.seat - b.seat)
    .map(([termId]) => termId);
  if (present.length > 0) return present;
  return [
    ...new Set(
      tracks.flatMap(({ termId, segments }) => (termId !== null && isCovered(segments, time) ? [termId] : [])),
    ),
  ];
}

/**
 * The pictures at a time, in their places on a screen of this size: as `layoutOf` placed them in the meeting. Of more
 * than nine terminals, those with a camera and those who spoke last are shown.
 */
export function seenAt({ tracks, states, floor }: Seen, time: number, screen: { width: number; height: number }) {
  const control = lastAt(states, time)?.control ?? NO_CONTROL;
  const speakers = lastAt(floor, time)?.speakers ?? [];
  const trackOf = (termId: string, kind: 'camera' | 'screen'): RecordingTrack | null =>
    tracks.find((track) => track.termId === termId && track.kind === kind && isCovered(track.segments, time)) ?? null;

  const present = presentAt(control, tracks, time);
  const sharing = present.filter((termId) => trackOf(termId, 'screen') !== null);
  const place = (termId: string): number => {
    const spoke = speakers.indexOf(termId);
    return (trackOf(termId, 'camera') ? 0 : MOST) + (spoke === -1 ? present.length : spoke);
  };
  const wanted = new Set(
    present.toSorted((a, b) => place(a) - place(b)).slice(0, sharing.length === 0 ? MOST : MOST - 1),
  );
  const { cells, onAirId } = layoutOf({
    control,
    terminals: present.filter((termId) => wanted.has(termId) || sharing.includes(termId)),
    sharing: sharing.toSorted((a, b) => beginOf(trackOf(a, 'screen'), time) - beginOf(trackOf(b, 'screen'), time)),
    speakers,
    me: null,
    screen,
  });
  const seenCell = (cell: LayoutCell): SeenCell => {
    const track = trackOf(cell.termId, cell.kind);
    const name = control.terminals[cell.termId]?.name ?? tracks.find(({ termId }) => termId === cell.termId)?.name;
    return { ...cell, name: name ?? '', isOnAir: cell.kind === 'camera' && cell.termId === onAirId, track };
  };
  return cells.map(seenCell);
}

/** When the stretch of a track at a time began: who shared last is shown. */
function beginOf(track: RecordingTrack | null, time: number): number {
  let begin = 0;
  let end = -Infinity;
  for (const { at, duration } of track?.segments ?? []) {
    if (at > time) break;
    if (at - end > 1_000) begin = at;
    end = at + duration;
  }
  return begin;
}
