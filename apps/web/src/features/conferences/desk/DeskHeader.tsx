import { useState } from 'react';
import { LanguageSwitch } from '../../../ui/LanguageSwitch.tsx';
import { useMinutesLeft } from '../shared/hooks.ts';
import { useDesk, useDeskPart, useRights } from './context.ts';
import { Icon } from '../../../ui/icons.tsx';
import { ActionButton } from './components/ActionButton.tsx';
import { Since } from './components/Since.tsx';
import { useT } from './texts.tsx';

/** Shows the conference's subject, its state and how long it has been running. */
export function DeskHeader() {
  const t = useT();
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
      <StateLine />
      <HeaderTools />
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

function HeaderTools() {
  const t = useT();
  const desk = useDesk();
  const rights = useRights();
  const [hears, setHears] = useState(false);
  const listen = () => {
    desk.watch.listen(!hears);
    setHears(!hears);
  };
  return (
    <div className="desk-header-tools">
      <ActionButton
        bare
        icon={hears ? 'hear' : 'hearOff'}
        label={t(hears ? 'header.listening' : 'header.listen')}
        aria-pressed={hears}
        data-testid="desk-listen"
        onAction={listen}
      />
      {!desk.byLink && (
        <ActionButton
          bare
          icon="link"
          label={t('links.title')}
          data-testid="desk-open-links"
          onAction={() => desk.view.set({ dialog: 'links' })}
        />
      )}
      {!desk.byLink && rights.may('grant') && (
        <ActionButton
          bare
          icon="grant"
          label={t('grants.title')}
          data-testid="desk-open-grants"
          onAction={() => desk.view.set({ dialog: 'grants' })}
        />
      )}
      <ActionButton
        bare
        icon="topology"
        label={t('topology.title')}
        data-testid="desk-open-topology"
        onAction={() => desk.view.set({ dialog: 'topology' })}
      />
      <ActionButton
        bare
        icon="keyboard"
        label={t('keys.title')}
        data-testid="desk-open-help"
        onAction={() => desk.view.set({ dialog: 'help' })}
      />
      <LanguageSwitch />
    </div>
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
