import { Suspense } from 'react';
import { PHONE, useMediaQuery } from '../../../lib/useMediaQuery.ts';
import { LanguageSwitch } from '../../../ui/LanguageSwitch.tsx';
import { useMinutesLeft } from '../shared/hooks.ts';
import { useDeskPart } from './context.ts';
import { DeskTools } from './actions/DeskTools.tsx';
import { DeskRecordingMark } from './actions/recording.tsx';
import { NoticePlace } from '../../../ui/Notices.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { DoneNotices } from './DoneNotices.tsx';
import { Since } from './components/Since.tsx';
import { useT } from './texts.tsx';

/** Shows the conference's subject, its state and how long it has been running. */
export function DeskHeader() {
  const t = useT();
  const isPhone = useMediaQuery(PHONE);
  const { subject, numericId, host } = useDeskPart(({ state }) => state);
  const chair = useDeskPart(({ rows }) => rows.find((row) => row.chair)?.name ?? null);
  return (
    <header className="desk-header">
      <div className="desk-title">
        <h1 title={subject}>{subject}</h1>
        <p>
          <span>{numericId.replace(/(\d{3})(?=\d)/g, '$1 ')}</span>
          <span>{t('header.host', { name: host })}</span>
          <span>{chair === null ? t('header.noChair') : t('header.chair', { name: chair })}</span>
        </p>
      </div>
      <NoticePlace>
        <DoneNotices />
      </NoticePlace>
      <StateLine />
      {!isPhone && (
        <div className="desk-header-tools">
          <DeskTools bare />
          <LanguageSwitch />
        </div>
      )}
    </header>
  );
}

function StateLine() {
  const t = useT();
  const startedAt = useDeskPart(({ state }) => state.startedAt);
  const locked = useDeskPart(({ state }) => state.control.locked);
  const inside = useDeskPart(({ rows }) => rows.length);
  const hands = useDeskPart(({ rows }) => rows.filter(({ handRaisedAt }) => handRaisedAt !== null).length);
  return (
    <ul className="desk-facts-line">
      <li title={t('header.inside')}>
        <Icon name="people" size={18} />
        <span className="visually-hidden">{t('header.inside')}</span>
        {inside}
      </li>
      {hands > 0 && (
        <li className="desk-hand" title={t('header.hands')}>
          <Icon name="hand" size={18} />
          <span className="visually-hidden">{t('header.hands')}</span>
          {hands}
        </li>
      )}
      <Suspense fallback={null}>
        <DeskRecordingMark />
      </Suspense>
      {locked && (
        <li className="desk-locked">
          <Icon name="lock" size={16} />
          {t('header.locked')}
        </li>
      )}
      <li title={t('header.running')}>
        <Icon name="clock" size={18} />
        <span className="visually-hidden">{t('header.running')}</span>
        <Since time={startedAt} />
      </li>
      <TimeLeft />
    </ul>
  );
}

/** Counts down the last minutes before the booked end or the organisation's time limit. */
function TimeLeft() {
  const t = useT();
  const bookedUntil = useDeskPart(({ state }) => state.bookedUntil);
  const endsAt = useDeskPart(({ state }) => state.endsAt);
  const minutes = useMinutesLeft(endsAt !== null && endsAt < bookedUntil ? endsAt : bookedUntil);
  if (minutes === null) return null;
  return (
    <li>
      <span className="desk-time-left" role="status">
        {t(minutes === 0 ? 'header.overTime' : 'header.minutesLeft', { minutes })}
      </span>
    </li>
  );
}
