import { useTexts } from '../../../lib/i18n/index.ts';
import { useMediaQuery } from '../../../lib/useMediaQuery.ts';
import { useView, viewsShown } from './useView.ts';
import './texts.ts';

/** Switches between the agenda, the table and the calendar of a day, a week or a month. */
export function ViewSwitch() {
  const t = useTexts('calendar');
  const [{ view: wanted }, setView] = useView();
  // Seven days do not fit on a phone: it shows one day instead of a week.
  const isPhone = useMediaQuery('(max-width: 767px)');
  const views = isPhone ? viewsShown.filter((one) => one !== 'week') : viewsShown;
  const view = isPhone && wanted === 'week' ? 'day' : wanted;
  return (
    <div className="meeting-scopes meeting-views" role="group" aria-label={t('views')}>
      {views.map((one) => (
        <button
          key={one}
          type="button"
          aria-pressed={one === view}
          data-testid={`view-${one}`}
          onClick={() => setView({ view: one })}
        >
          {t(`view.${one}`)}
        </button>
      ))}
    </div>
  );
}
