import { useTexts } from '../../../lib/i18n/index.ts';
import { useMediaQuery } from '../../../lib/useMediaQuery.ts';
import { Segments } from '../../../ui/Segments.tsx';
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
    <Segments
      label={t('views')}
      values={views}
      chosen={view}
      textOf={(one) => t(`view.${one}`)}
      onChoose={(one) => setView({ view: one })}
      testId="view"
      className="meeting-views"
    />
  );
}
