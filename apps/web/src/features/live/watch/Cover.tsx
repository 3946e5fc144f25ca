import type { WatchedBroadcast } from '@rmeet/contract';
import { useEffect, useState } from 'react';
import { useLanguage } from '../../../lib/i18n/index.ts';
import { startTimeText } from '../../../lib/startTimeText.ts';
import { Button } from '../../../ui/Button.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { useT } from '../texts.ts';

interface CoverProps {
  broadcast: WatchedBroadcast;
  /** It is over, and can be watched again. */
  hasReplay: boolean;
  onReplay: () => void;
}

/** In place of the picture: before the start, during a pause, and after the end. */
export function Cover({ broadcast, hasReplay, onReplay }: CoverProps) {
  const t = useT();
  const { state, subject, hostName, setting } = broadcast;
  return (
    <div className="watch-cover" data-state={state} data-testid="watch-cover">
      <p className="watch-cover-subject" aria-hidden="true">
        {subject}
      </p>
      {state === 'scheduled' && <Countdown broadcast={broadcast} />}
      {state === 'onAir' && (
        <p className="watch-cover-main" role="status">
          {t('player.connecting')}
        </p>
      )}
      {state === 'paused' && (
        <div role="status">
          <p className="watch-cover-main">{t('cover.paused')}</p>
          <p>{t('cover.pausedHint')}</p>
        </div>
      )}
      {state === 'ended' && (
        <div role="status">
          <p className="watch-cover-main">{t('cover.ended')}</p>
          <p>{t(hasReplay ? 'cover.replayHint' : setting.replay ? 'cover.replaySoon' : 'cover.noReplay')}</p>
        </div>
      )}
      {state === 'ended' && hasReplay && (
        <Button kind="primary" data-testid="watch-replay" onClick={onReplay}>
          <Icon name="play" size={18} />
          {t('cover.replay')}
        </Button>
      )}
      {state === 'scheduled' && <p className="watch-cover-host">{t('watch.host', { name: hostName })}</p>}
    </div>
  );
}

const SECOND = 1_000;

/** The time, each second. */
function useSecond(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), SECOND);
    return () => clearInterval(timer);
  }, []);
  return now;
}

/** The time until the start, as a clock; after the booked time, that it begins soon. */
function Countdown({ broadcast: { startTime } }: Pick<CoverProps, 'broadcast'>) {
  const t = useT();
  const language = useLanguage();
  const now = useSecond();
  const start = new Date(startTime);
  const left = Math.ceil((start.getTime() - now) / SECOND);
  const when = startTimeText(start, new Date(now), language);
  if (left <= 0)
    return (
      <div role="status" data-testid="watch-soon">
        <p className="watch-cover-main">{t('cover.soon')}</p>
        <p>{t('cover.soonHint')}</p>
      </div>
    );
  const parts = [
    { unit: 'days', value: Math.floor(left / 86_400) },
    { unit: 'hours', value: Math.floor(left / 3_600) % 24 },
    { unit: 'minutes', value: Math.floor(left / 60) % 60 },
    { unit: 'seconds', value: left % 60 },
  ] as const;
  const shown = parts.filter(({ unit, value }) => unit !== 'days' || value > 0);
  return (
    <div>
      <p>{t('cover.startsAt', { when })}</p>
      {/* Screen readers get the time of the start; a clock would talk all the time. */}
      <div className="watch-clock" aria-hidden="true" data-testid="watch-countdown">
        {shown.map(({ unit, value }) => (
          <span key={unit}>
            <b>{String(value).padStart(2, '0')}</b>
            {t(`clock.${unit}`)}
          </span>
        ))}
      </div>
    </div>
  );
}
