import { positionOf, type RecordingTimeline } from '@rmeet/contract';
import type { Player } from '../player/player.ts';
import { useT } from '../texts.ts';
import { clockWords } from '../words.ts';

/** Who was there, and when. */
export function People({ player, attendance }: { player: Player; attendance: RecordingTimeline['attendance'] }) {
  const t = useT();
  if (attendance.length === 0) return <p className="side-empty">{t('sideEmpty.people')}</p>;
  const words = (time: number): string => clockWords(positionOf(player.kept, time));
  return (
    <ul className="people" data-testid="people">
      {attendance.map(({ name, stays, isGuest }) => (
        <li key={`${name} ${stays[0]?.from ?? 0}`} data-testid="person">
          <b>{isGuest ? t('guest', { name }) : name}</b>
          {stays.map(({ from, to }) => (
            <small key={from}>
              {to === null ? t('stayToEnd', { from: words(from) }) : t('stay', { from: words(from), to: words(to) })}
            </small>
          ))}
        </li>
      ))}
    </ul>
  );
}
