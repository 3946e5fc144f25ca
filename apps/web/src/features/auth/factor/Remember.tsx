import { useTexts } from '../../../lib/i18n/index.ts';

/** Whether this browser is not asked again for some time. */
export function Remember({ checked, onChange }: { checked: boolean; onChange: (checked: boolean) => void }) {
  const t = useTexts('factor');
  return (
    <label className="login-remember">
      <input
        type="checkbox"
        checked={checked}
        data-testid="factor-remember"
        onChange={({ target }) => onChange(target.checked)}
      />
      {t('step.remember')}
    </label>
  );
}
