import { clockTimeOf, positionOf, type RecordingEdit } from '@rmeet/contract';
import type { PointerEvent } from 'react';
import type { Player } from '../player/player.ts';
import { shareOf } from '../player/SeekLine.tsx';
import { leftOut, moved, type Edge } from './edit.ts';
import type { Draft } from './useDraft.ts';

/** The end of what is stored, by the clock. */
export const lastOf = ({ kept }: Pick<Player, 'kept'>): number => {
  const last = kept.at(-1);
  return last === undefined ? 0 : last.at + last.duration;
};

/** On the seek line: what the draft leaves out, and edges to drag. The fields below do the same by keyboard. */
export function EditMarks({ player, draft }: { player: Player; draft: Draft }) {
  const last = lastOf(player);
  const place = (time: number): string => shareOf(positionOf(player.kept, time), player.length);
  return (
    <>
      {leftOut(draft.edit, last).map(({ from, to }) => (
        <span
          key={`${from}-${to}`}
          className="edit-left-out"
          data-testid="edit-left-out"
          style={{
            left: place(from),
            width: shareOf(positionOf(player.kept, to) - positionOf(player.kept, from), player.length),
          }}
        />
      ))}
      {edgesOf(draft.edit, last).map(({ edge, time }) => (
        <Handle key={JSON.stringify(edge)} edge={edge} left={place(time)} player={player} draft={draft} />
      ))}
    </>
  );
}

function edgesOf({ start, end, cuts }: RecordingEdit, last: number): { edge: Edge; time: number }[] {
  return [
    { edge: 'start', time: start ?? 0 },
    { edge: 'end', time: end ?? last },
    ...cuts.flatMap(({ from, to }, cut) => [
      { edge: { cut, edge: 'from' as const }, time: from },
      { edge: { cut, edge: 'to' as const }, time: to },
    ]),
  ];
}

function Handle({ edge, left, player, draft }: { edge: Edge; left: string; player: Player; draft: Draft }) {
  const drag = (event: PointerEvent<HTMLElement>, isFirst: boolean) => {
    const box = event.currentTarget.parentElement?.getBoundingClientRect();
    if (box === undefined) return;
    const position = ((event.clientX - box.left) / box.width) * player.length;
    const time = position >= player.length ? lastOf(player) : clockTimeOf(player.kept, Math.max(0, position));
    draft.change(moved(draft.edit, edge, time, lastOf(player)), !isFirst);
    player.seekTo(time);
  };
  return (
    <i
      className="edit-edge"
      data-edge={typeof edge === 'string' ? edge : edge.edge}
      style={{ left }}
      aria-hidden="true"
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        drag(event, true);
      }}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) drag(event, false);
      }}
    />
  );
}
