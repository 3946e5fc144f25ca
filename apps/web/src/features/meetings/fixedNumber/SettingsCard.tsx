import { LIMITS, type FixedNumber, type FixedNumberSettings } from '@rmeet/contract';
import { Input } from 'antd';
import { useId } from 'react';
import { api } from '../../../lib/api/index.ts';
import { useTexts } from '../../../lib/i18n/index.ts';
import { toast } from '../../../lib/notify.ts';
import { SwitchField } from '../../../ui/admin/SwitchField.tsx';
import { useForm } from '../../../ui/admin/useForm.ts';
import { Button } from '../../../ui/Button.tsx';
import { FormField } from '../../../ui/FormField.tsx';
import { newPassword } from '../booking/draft.ts';
import { useKeepNumber } from './queries.ts';

const PASSWORD = new RegExp(`^[0-9A-Za-z]{${LIMITS.meetingPassword.min},${LIMITS.meetingPassword.max}}$`);
const SWITCHES = ['waitingRoom', 'joinBeforeHost', 'muteOnEntry'] as const;

const settingsOf = ({ password, waitingRoom, joinBeforeHost, muteOnEntry }: FixedNumber): FixedNumberSettings => ({
  password,
  waitingRoom,
  joinBeforeHost,
  muteOnEntry,
});

/** The settings of the next meetings on the number. */
export function SettingsCard({ mine }: { mine: FixedNumber }) {
  const t = useTexts('fixedNumber');
  const id = useId();
  const { draft, errors, isDirty, isSaving, change, submit, root } = useSettingsForm(mine);

  return (
    <section className="fixed-number-card" aria-labelledby={id}>
      <h2 id={id}>{t('settings')}</h2>
      <p className="fixed-number-note">{t('settingsLead')}</p>
      <form
        ref={root}
        className="fixed-number-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <FormField label={t('password')} error={errors.password} hint={t('passwordHint')}>
          {(control) => (
            <div className="fixed-number-password">
              <Input
                {...control}
                value={draft.password}
                maxLength={LIMITS.meetingPassword.max}
                autoComplete="off"
                spellCheck={false}
                data-testid="fixed-number-password"
                onChange={({ target }) => change({ password: target.value })}
              />
              <Button onClick={() => change({ password: newPassword() })}>{t('passwordNew')}</Button>
            </div>
          )}
        </FormField>
        {SWITCHES.map((field) => (
          <SwitchField
            key={field}
            label={t(field)}
            hint={t(`${field}Hint`)}
            checked={draft[field]}
            testId={`fixed-number-${field}`}
            // With a waiting room, a missing password is no longer an error.
            onChange={(checked) => change({ [field]: checked, password: draft.password })}
          />
        ))}
        <div>
          <Button type="submit" kind="primary" busy={isSaving} disabled={!isDirty} data-testid="fixed-number-save">
            {t('save')}
          </Button>
        </div>
      </form>
    </section>
  );
}

/** The form of the settings. */
function useSettingsForm(mine: FixedNumber) {
  const t = useTexts('fixedNumber');
  const keep = useKeepNumber();
  return useForm({
    initial: settingsOf(mine),
    keepAs: 'fixedNumber',
    keepOnLeaving: true,
    unkept: ['password'],
    check: ({ password, waitingRoom }) => {
      if (password === '' && !waitingRoom) return { password: t('passwordMissing') };
      return password === '' || PASSWORD.test(password) ? {} : { password: t('passwordWrong') };
    },
    send: (body) => api.fixedNumber.update({ body }),
    fieldOf: { PASSWORD_OR_WAITING_ROOM: 'password' },
    onSaved: (answer) => {
      keep(answer);
      toast('success', () => t('saved'));
    },
  });
}
