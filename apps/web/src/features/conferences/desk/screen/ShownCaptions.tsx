import type { Banner } from '@rmeet/conference';
import dayjs from 'dayjs';
import { useDesk, useDeskPart, useRights } from '../context.ts';
import { ActionButton } from '../components/ActionButton.tsx';
import { useT } from '../texts.tsx';

/** The captions currently shown, each with a button to remove it. `only`: those of one terminal. */
export function ShownCaptions({ only }: { only?: string }) {
  const t = useT();
  const control = useDeskPart(({ state }) => state.control);
  const rows = useDeskPart((snapshot) => snapshot.rows);
  const ofAll = control.banner;
  const own = rows.flatMap(({ termId, name }) => {
    const banner = only === undefined || only === termId ? control.terminals[termId]?.banner : null;
    return banner ? [{ termId, name, banner }] : [];
  });
  return (
    <section className="desk-shown" aria-label={t('screen.captions.now')} data-testid="desk-captions-now">
      {ofAll === null && own.length === 0 && <p className="desk-sheet-hint">{t('screen.captions.none')}</p>}
      <ul>
        {ofAll !== null && <Shown termId={null} name={t('screen.captions.all')} banner={ofAll} />}
        {own.map(({ termId, name, banner }) => (
          <Shown key={termId} termId={termId} name={name} banner={banner} />
        ))}
      </ul>
    </section>
  );
}

function Shown({ termId, name, banner: { text, until } }: { termId: string | null; name: string; banner: Banner }) {
  const t = useT();
  const desk = useDesk();
  const cannot = useRights().cannot('banner');
  return (
    <li>
      <span className="desk-tag" title={name}>
        {name}
      </span>
      <span className="desk-shown-text" title={text}>
        {text}
      </span>
      <span className="desk-shown-until">
        {until === null
          ? t('screen.captions.untilCleared')
          : t('screen.captions.until', { time: dayjs(until).format('HH:mm:ss') })}
      </span>
      <ActionButton
        icon="close"
        size={14}
        label={t('screen.captions.clear')}
        className="desk-act-small"
        cannot={cannot}
        data-testid={`desk-captions-clear-${termId ?? 'ALL'}`}
        onAction={() => void desk.act({ verb: 'banner', termId, banner: { text: '' } })}
      />
    </li>
  );
}
