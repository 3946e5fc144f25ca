import { useState } from 'react';
import { useT } from '../texts.ts';
import { MOST_WITH_SOUNDS, readPreferences, rememberPreferences } from './preferences.ts';

/** Whether a sound tells when somebody joins or leaves; stored in the browser. */
export function SoundsSwitch() {
  const t = useT();
  const [isOn, setOn] = useState(() => readPreferences().sounds);
  const change = (sounds: boolean) => {
    setOn(sounds);
    rememberPreferences({ ...readPreferences(), sounds });
  };
  return (
    <label className="settings-switch">
      <input type="checkbox" checked={isOn} data-testid="sounds" onChange={(event) => change(event.target.checked)} />
      <span>
        {t('sounds.label')}
        <small>{t('sounds.hint', { count: MOST_WITH_SOUNDS })}</small>
      </span>
    </label>
  );
}
