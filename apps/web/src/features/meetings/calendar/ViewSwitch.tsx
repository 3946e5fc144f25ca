import { useTexts } from '../../../lib/i18n/index.ts';
import { useView, VIEWS } from './viewState.ts';
import './texts.ts';

/** Whether meetings are a list or a calendar of a day, a week or a month. */
export function ViewSwitch() {
  const t = useTexts('calendar');
  const [{ view }, setView] = useView();
  return (
    <div className="meeting-scopes meeting-views" role="group" aria-label={t('views')}>
      {VIEWS.map((one) => (
        <button key={one} type="button" aria-pressed={one === view} data-testid={`view-${one}`} onClick={() => setView({ view: one })}>
          {t(`view.${one}`)}
        </button>
      ))}
    </div>
  );
}
