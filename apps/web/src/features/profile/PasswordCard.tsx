import type { Profile } from '@rmeet/contract';
import { useId, useState, type FormEvent } from 'react';
import { ApiError, reportError } from '../../lib/api/index.ts';
import { canEncrypt } from '../../lib/encrypt.ts';
import { useLanguage, useTexts } from '../../lib/i18n/index.ts';
import { toast, type Words } from '../../lib/notify.ts';
import { useErrorFocus } from '../../lib/useErrorFocus.ts';
import { Button } from '../../ui/Button.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { checkPassword } from '../../lib/passwords.ts';
import { useChangePassword } from './queries.ts';

type Field = 'old' | 'new' | 'repeat';
type Errors = Partial<Record<Field, Words>>;

const EMPTY = { old: '', new: '', repeat: '' };

/** The field that an error code concerns. */
const FIELD_OF: Partial<Record<string, Field>> = {
  PASSWORD_WRONG: 'old',
  PASSWORD_TOO_WEAK: 'new',
  PASSWORD_REUSED: 'new',
};

/** Changes the user's own password; fulfilled rules are ticked while typing. */
export function PasswordCard({ profile }: { profile: Profile }) {
  const t = useTexts('profile');
  const language = useLanguage();
  const id = useId();
  const { root, checks, isVisible, setVisible, isSaving, submit, field } = usePasswordForm(profile);
  const { account, passwordRules: rules, passwordExpiresAt } = profile;

  return (
    <section className="profile-card" aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{t('password.title')}</h2>
      <p className="profile-lead">
        {t('password.lead')}
        {passwordExpiresAt !== null &&
          ` ${t('password.expires', { date: new Date(passwordExpiresAt).toLocaleDateString(language) })}`}
      </p>
      {!canEncrypt() && (
        <p role="alert" className="profile-error">
          {t('password.insecure')}
        </p>
      )}
      <form ref={root} className="profile-form" noValidate onSubmit={submit}>
        {/* Password managers need to know the account. */}
        <input type="text" name="username" autoComplete="username" value={account} readOnly hidden />
        <TextField {...field('old')} autoComplete="current-password" />
        <TextField {...field('new')} autoComplete="new-password" />
        <TextField {...field('repeat')} autoComplete="new-password" />
        <PasswordRules checks={checks} rules={rules} />
        <div className="profile-buttons">
          <Button type="submit" kind="primary" busy={isSaving} disabled={!canEncrypt()} data-testid="password-submit">
            {t('password.submit')}
          </Button>
          <Button kind="quiet" aria-pressed={isVisible} onClick={() => setVisible(!isVisible)}>
            {t(isVisible ? 'password.hide' : 'password.show')}
          </Button>
        </div>
      </form>
    </section>
  );
}

/** The form of the password. */
function usePasswordForm(profile: Profile) {
  const t = useTexts('profile');
  const { root, focusFirstError } = useErrorFocus();
  const [typed, setTyped] = useState(EMPTY);
  const [errors, setErrors] = useState<Errors>({});
  const [isVisible, setVisible] = useState(false);
  const change = useChangePassword();
  const { account, passwordRules: rules } = profile;
  const checks = checkPassword(typed.new, account, rules);

  const show = (next: Errors) => {
    setErrors(next);
    focusFirstError();
  };
  const faults = (): Errors => ({
    ...(typed.old === '' ? { old: () => t('password.oldMissing') } : {}),
    ...(typed.new === ''
      ? { new: () => t('password.newMissing') }
      : checks.some(({ met }) => !met)
        ? { new: () => t('password.unfit') }
        : {}),
    ...(typed.new === typed.repeat ? {} : { repeat: () => t('password.differs') }),
  });
  const refused = (error: unknown) => {
    const field = error instanceof ApiError ? FIELD_OF[error.code] : undefined;
    if (field !== undefined && error instanceof ApiError) show({ [field]: () => error.message });
    else reportError(error);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found = faults();
    if (Object.keys(found).length > 0) {
      show(found);
      return;
    }
    const done = () => {
      setTyped(EMPTY);
      toast('success', () => t('password.done'));
    };
    change.mutate({ oldPassword: typed.old, newPassword: typed.new }, { onSuccess: done, onError: refused });
  };

  const field = (name: Field) => ({
    name,
    label: t(`password.${name}`),
    value: typed[name],
    error: errors[name]?.(),
    type: isVisible ? 'text' : 'password',
    maxLength: 128,
    required: true,
    'data-testid': `password-${name}`,
    onChange: ({ target }: { target: { value: string } }) => {
      setTyped((now) => ({ ...now, [name]: target.value }));
      setErrors(({ [name]: _answered, ...others }) => others);
    },
  });

  return { root, checks, isVisible, setVisible, isSaving: change.isPending, submit, field };
}

interface PasswordRulesProps {
  checks: ReturnType<typeof checkPassword>;
  rules: Profile['passwordRules'];
}

/** The password rules; fulfilled ones are ticked while typing. */
function PasswordRules({ checks, rules }: PasswordRulesProps) {
  const t = useTexts('profile');
  const id = useId();
  return (
    <div className="profile-rules">
      <p id={`${id}-rules`}>{t('password.rules')}</p>
      <ul aria-labelledby={`${id}-rules`} aria-live="polite">
        {checks.map(({ rule, met }) => (
          <li key={rule} data-met={met} data-testid={`rule-${rule}`}>
            {t(`password.rule.${rule}`, { minLength: rules.minLength, minClasses: rules.minClasses })}
            <span className="visually-hidden">{` (${t(met ? 'password.met' : 'password.unmet')})`}</span>
          </li>
        ))}
        {rules.history > 0 && <li>{t('password.history', { count: rules.history })}</li>}
      </ul>
    </div>
  );
}
