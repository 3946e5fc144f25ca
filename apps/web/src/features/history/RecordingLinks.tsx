import type { HeldRecord } from '@rmeet/contract';
import { Link } from 'react-router';
import { useTexts } from '../../lib/i18n/index.ts';
import { recordingPath } from '../../lib/paths.ts';
import { formatTime } from '../../lib/time.ts';
import { Icon } from '../../ui/icons.tsx';
import { durationWords } from './words.ts';

/** The recordings of a past meeting that the user may watch; nothing if there are none. */
export function RecordingLinks({ recordings }: Pick<HeldRecord, 'recordings'>) {
  const t = useTexts('history');
  if (recordings.length === 0) return null;
  return (
    <section className="history-section" data-testid="record-recordings">
      <h2>{t('recordings')}</h2>
      <ul className="record-recordings">
        {recordings.map(({ id, name, startedAt, duration }) => (
          <li key={id}>
            <Link to={recordingPath(id)} data-testid="record-recording">
              <Icon name="play" />
              <span>
                {name}
                <small>{[formatTime(startedAt), durationWords(duration, t)].join(' · ')}</small>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
