import { SIGN_IN_MODES, type SignInMode } from '@rmeet/contract';
import { useTexts } from '../../lib/i18n/index.ts';
import { SwitchField } from '../../ui/admin/SwitchField.tsx';
import { Button } from '../../ui/Button.tsx';
import type { OwnSectionProps } from './LookSection.tsx';

/** The list with one mode a step earlier. */
function earlier(modes: readonly SignInMode[], mode: SignInMode): SignInMode[] {
  const at = modes.indexOf(mode);
  const others = modes.filter((one) => one !== mode);
  return [...others.slice(0, at - 1), mode, ...others.slice(at - 1)];
}

/** The ways in which the tenant's people sign in, and their order on the sign-in page. */
export function SignInSection({ draft, errors, onChange }: OwnSectionProps) {
  const t = useTexts('tenants');
  const { signInModes } = draft;
  const shown = [...signInModes, ...SIGN_IN_MODES.filter((mode) => !signInModes.includes(mode))];
  const offer = (mode: SignInMode, isOffered: boolean): void =>
    onChange({ signInModes: isOffered ? [...signInModes, mode] : signInModes.filter((one) => one !== mode) });
  return (
    <fieldset data-testid="sign-in-settings">
      <legend>{t('signIn.title')}</legend>
      <p className="admin-form-hint">{t('signIn.hint')}</p>
      <ol className="tenant-sign-in">
        {shown.map((mode) => {
          const at = signInModes.indexOf(mode);
          return (
            <li key={mode}>
              <SwitchField
                label={t(`signIn.mode.${mode}`)}
                hint={t(`signIn.modeHint.${mode}`)}
                checked={at >= 0}
                testId={`sign-in-${mode}`}
                onChange={(isOffered) => offer(mode, isOffered)}
              />
              {at === 0 && <span className="tenant-sign-in-first">{t('signIn.first')}</span>}
              {at > 0 && (
                <Button
                  aria-label={t('signIn.earlierNamed', { mode: t(`signIn.mode.${mode}`) })}
                  data-testid={`sign-in-earlier-${mode}`}
                  onClick={() => onChange({ signInModes: earlier(signInModes, mode) })}
                >
                  <span aria-hidden="true">↑</span>
                  {t('signIn.earlier')}
                </Button>
              )}
            </li>
          );
        })}
      </ol>
      {errors.signInModes !== undefined && (
        <p className="form-field-error" role="alert">
          {errors.signInModes}
        </p>
      )}
    </fieldset>
  );
}
