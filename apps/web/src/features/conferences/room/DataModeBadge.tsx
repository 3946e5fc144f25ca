import type { Call } from '../../../call/index.ts';
import { Icon } from '../../../ui/icons.tsx';
import { changePreferences } from '../shared/preferences.ts';
import { useStorePart } from '../shared/use-store.ts';
import { useT } from '../texts.ts';

/** Says that a mode to save data is on; a click turns it off. */
export function DataModeBadge({ call }: { call: Call }) {
  const t = useT();
  const mode = useStorePart(call.store, ({ dataMode }) => dataMode);
  if (mode === 'full') return null;
  return (
    <button
      type="button"
      className="standing-mode"
      title={t(`self.mode.${mode}Title`)}
      data-testid="data-mode"
      data-mode={mode}
      onClick={() => turnOffDataMode(call)}
    >
      {t(`self.mode.${mode}`)}
      <Icon name="close" size={14} />
      <span className="visually-hidden">{t('self.mode.off')}</span>
    </button>
  );
}

/** Back to every picture, also in the next meeting. */
export function turnOffDataMode(call: Call): void {
  changePreferences({ dataMode: 'full' });
  call.setDataMode('full');
}
