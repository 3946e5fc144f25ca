import { Link } from 'react-router';
import { recordingPath } from '../../../lib/paths.ts';
import { formatTime } from '../../../lib/time.ts';
import { Icon } from '../../../ui/icons.tsx';
import { useMeetingRecordings } from '../queries.ts';
import { useT } from '../texts.ts';
import { clockWords } from '../words.ts';
import './meeting.css';

/** The recordings of a held meeting that the user may watch; nothing if there are none. */
export function MeetingRecordings({ id, meetId }: { id: string; meetId: string }) {
  const t = useT();
  const { data } = useMeetingRecordings(meetId);
  const records = (data?.records ?? []).filter(({ conferenceId }) => conferenceId === id);
  if (records.length === 0) return null;
  return (
    <section className="history-section meeting-recordings" data-testid="meeting-recordings">
      <h2>{t('title')}</h2>
      <ul>
        {records.map(({ id: recordingId, subject, startTime, duration, state }) => (
          <li key={recordingId}>
            <Link to={recordingPath(recordingId)} data-testid="meeting-recording">
              <Icon name="play" />
              <span>
                {subject}
                <small>{[formatTime(startTime), clockWords(duration)].join(' · ')}</small>
              </span>
            </Link>
            {state !== 'ready' && (
              <span className={`recording-state recording-state-${state}`}>{t(`state.${state}`)}</span>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
