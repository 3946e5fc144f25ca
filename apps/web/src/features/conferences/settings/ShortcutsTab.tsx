import { SHORTCUTS } from '../room/shortcuts.ts';
import { changePreferences, usePreferences } from '../shared/preferences.ts';
import { useT } from '../texts.ts';
import { Switch } from './Choice.tsx';

/** The room's keys, and whether they act. */
export function ShortcutsTab() {
  const t = useT();
  const { shortcuts } = usePreferences();
  return (
    <>
      <Switch
        label={t('shortcuts.enabled')}
        on={shortcuts}
        testId="shortcuts-enabled"
        onChange={(on) => changePreferences({ shortcuts: on })}
      />
      <dl className="shortcuts" data-testid="shortcuts">
        {Object.entries(SHORTCUTS).map(([key, action]) => (
          <div key={key}>
            <dt>{t(`shortcuts.${action}`)}</dt>
            <dd>
              <kbd>{key.toUpperCase()}</kbd>
            </dd>
          </div>
        ))}
        <div>
          <dt>{t('shortcuts.talk')}</dt>
          <dd>
            <kbd>{t('shortcuts.space')}</kbd>
          </dd>
        </div>
      </dl>
    </>
  );
}
