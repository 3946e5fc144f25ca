import { useEffect, useRef } from 'react';
import { Link, useNavigate } from 'react-router';
import type { CallEnd, Stay } from '../../../call/index.ts';
import { recordingPath, recordPath } from '../../../lib/paths.ts';
import { Button } from '../../../ui/Button.tsx';
import { LanguageSwitch } from '../../../ui/LanguageSwitch.tsx';
import { Logo } from '../../../ui/Logo.tsx';
import { useT } from '../texts.ts';
import { IS_OVER, waysAfter, type EndWay } from './end-ways.ts';

interface EndScreenProps {
  end: CallEnd;
  /** Empty if it is not known. */
  subject: string;
  /** Null if the person was never inside. */
  conferenceId: string | null;
  /** Null if the person was never inside. */
  stay: Stay | null;
  /** The reason given for a refusal or a removal; empty if none was given. */
  reason: string;
  /** False if the person was removed for good. */
  canReturn: boolean;
  signedIn: boolean;
  /** The last recording of the meeting, for people who may record: they look for it. */
  recordingId: string | null;
  onAgain: () => void;
  onOther: () => void;
}

/** Why the call ended, how long it lasted, and how to continue. */
export function EndScreen(props: EndScreenProps) {
  const { end, subject, conferenceId, stay, reason, canReturn, signedIn, recordingId, onAgain, onOther } = props;
  const t = useT();
  const navigate = useNavigate();
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  const isForGood = end === 'removed' && !canReturn;
  const take: Record<EndWay, () => void> = {
    again: onAgain,
    home: () => void navigate('/myMeeting'),
    other: onOther,
    record: () => void navigate(recordPath(conferenceId ?? '')),
  };
  return (
    <div className="join">
      <header className="join-header">
        <Logo open />
        <LanguageSwitch />
      </header>
      <main className="join-main join-main-narrow">
        <section className="join-card" data-testid="call-ended" data-end={end} data-can-return={!isForGood}>
          {subject !== '' && <p className="end-subject">{subject}</p>}
          <h1 ref={title} tabIndex={-1}>
            {t(`end.${end}`)}
          </h1>
          {reason !== '' && (
            <p className="end-reason" data-testid="end-reason">
              {t('end.reason')} <q>{reason}</q>
            </p>
          )}
          <p className="join-lead">{isForGood ? t('end.removedForGoodHint') : t(`end.${end}Hint`)}</p>
          {stay !== null && <StayFacts stay={stay} />}
          {signedIn && recordingId !== null && IS_OVER.has(end) && <RecordingHint id={recordingId} />}
          <div className="end-ways">
            {waysAfter({ end, canReturn, signedIn, wasInside: conferenceId !== null }).map((way, at) => (
              <Button
                key={way}
                kind={at === 0 ? 'primary' : 'plain'}
                large
                data-testid={`end-${way}`}
                onClick={take[way]}
              >
                {t(`end.${way}`)}
              </Button>
            ))}
          </div>
        </section>
      </main>
    </div>
  );
}

/** Where the recording is. */
function RecordingHint({ id }: { id: string }) {
  const t = useT();
  return (
    <p className="end-recording" data-testid="end-recording">
      {t('recorded.end')} <Link to={recordingPath(id)}>{t('recorded.link')}</Link>
    </p>
  );
}

const MINUTE = 60_000;

function StayFacts({ stay: { lasted, people } }: { stay: Stay }) {
  const t = useT();
  const minutes = Math.round(lasted / MINUTE);
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  const length =
    minutes < 1
      ? t('stay.underMinute')
      : hours < 1
        ? t('stay.minutes', { minutes })
        : t('stay.hours', { hours, minutes: rest });
  return (
    <dl className="end-stay" data-testid="end-stay" data-people={people}>
      <div>
        <dt>{t('stay.lasted')}</dt>
        <dd>{length}</dd>
      </div>
      <div>
        <dt>{t('stay.most')}</dt>
        <dd>{t('ahead.people', { count: people })}</dd>
      </div>
    </dl>
  );
}
