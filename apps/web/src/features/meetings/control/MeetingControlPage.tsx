import { isMeetingId } from '@rmeet/contract';
import { useEffect } from 'react';
import { Link, useSearchParams } from 'react-router';
import { session } from '../../../lib/browser.ts';
import { useTexts } from '../../../lib/i18n/index.ts';
import { Button } from '../../../ui/Button.tsx';
import { EmptyState, Loading } from '../../../ui/states.tsx';
import { Missing } from '../detail/Missing.tsx';
import { formatDuration, formatNumber, formatTime } from '../format.ts';
import { useLiveMeetings, useMeeting } from '../queries.ts';
import { StatusBadge } from '../status/StatusBadge.tsx';
import { useMeetingActions } from '../useMeetingActions.ts';
import '../texts.ts';
import '../meetings.css';
import './meetingControl.css';

/** `/meetingControl?meetId=`: the meeting and its state, with a button to join it. */
export function MeetingControlPage() {
  const t = useTexts('meetings');
  const [params] = useSearchParams();
  const meetId = params.get('meetId') ?? '';
  useEffect(() => {
    document.title = `${t('control.title')} · Rmeet`;
  }, [t]);

  return (
    <main className="meeting-control">
      <h1>{t('control.title')}</h1>
      {session.token === null && (
        <EmptyState title={t('control.signedOut')} hint={t('control.signedOutHint')}>
          <Link
            className="button button-primary"
            to={`/login?redirect=${encodeURIComponent(`/meetingControl?meetId=${meetId}`)}`}
          >
            {t('control.login')}
          </Link>
        </EmptyState>
      )}
      {session.token !== null &&
        (isMeetingId(meetId) ? (
          <ControlledMeeting meetId={meetId} />
        ) : (
          <EmptyState title={t('detail.gone')} hint={t('detail.goneHint')} />
        ))}
      {session.token !== null && (
        <Link className="button button-plain" to="/myMeeting" data-testid="way-meetings">
          {t('control.toMeetings')}
        </Link>
      )}
    </main>
  );
}

function ControlledMeeting({ meetId }: { meetId: string }) {
  const t = useTexts('meetings');
  const found = useMeeting(meetId, true);
  const actions = useMeetingActions();
  useLiveMeetings();

  if (found.isPending) return <Loading />;
  if (!found.data) return <Missing error={found.error} retry={() => void found.refetch()} />;
  const meeting = found.data;
  const { subject, host, numericId, startTime, duration, status, can } = meeting;
  return (
    <section className="meeting-control-card" data-testid="meeting-control">
      <h2>{subject}</h2>
      <StatusBadge meeting={meeting} />
      <dl>
        <dt>{t('detail.number')}</dt>
        <dd data-testid="control-number">{formatNumber(numericId)}</dd>
        <dt>{t('detail.time')}</dt>
        <dd>{`${formatTime(startTime)} · ${formatDuration(duration)}`}</dd>
        <dt>{t('detail.host')}</dt>
        <dd>{host.name}</dd>
      </dl>
      {status === 'OFFLINE' && <p>{t('control.over')}</p>}
      {status === 'OFFLINE' && (
        <Link to={`/myMeeting?open=${meetId}`} data-testid="way-details">
          {t('control.details')}
        </Link>
      )}
      {can.join && (
        <Button kind="primary" large data-testid="control-join" onClick={() => actions.join(meeting)}>
          {t('action.join')}
        </Button>
      )}
    </section>
  );
}
