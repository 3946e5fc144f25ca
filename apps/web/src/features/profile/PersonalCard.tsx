import { ACCOUNT_ROLES, LIMITS, LOCALES, type Locale, type Profile } from '@rmeet/contract';
import { useId, useState, type FormEvent, type ReactNode } from 'react';
import { ApiError, reportError } from '../../lib/api/index.ts';
import { switchLanguage, useLanguage, useTexts } from '../../lib/i18n/index.ts';
import { toast, type Words } from '../../lib/notify.ts';
import { useErrorFocus } from '../../lib/useErrorFocus.ts';
import { Button } from '../../ui/Button.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { personalOf, useSavePersonal, type Personal } from './queries.ts';

type Field = 'name' | 'phone' | 'email';
type Errors = Partial<Record<Field, Words>>;

/** Maps field names of the contract. */
const FIELD_OF: Partial<Record<string, Field>> = { name: 'name', phoneNumber: 'phone', email: 'email' };

/** The account's data, and what its owner may change. */
export function PersonalCard({ profile }: { profile: Profile }) {
  const t = useTexts('profile');
  const titleId = useId();
  const { root, isSaving, submit, chooseLanguage, field } = usePersonalForm(profile);
  return (
    <section className="profile-card" aria-labelledby={titleId}>
      <h2 id={titleId}>{t('personal.title')}</h2>
      <Facts profile={profile} />
      <form ref={root} className="profile-form" noValidate onSubmit={submit}>
        <TextField {...field('name')} required maxLength={LIMITS.displayName} autoComplete="name" />
        <TextField {...field('phone')} hint={t('personal.optional')} type="tel" autoComplete="tel" maxLength={40} />
        <TextField
          {...field('email')}
          hint={t('personal.optional')}
          type="email"
          autoComplete="email"
          maxLength={254}
        />
        <div className="profile-buttons">
          <Button type="submit" kind="primary" busy={isSaving} data-testid="profile-save">
            {t('personal.save')}
          </Button>
        </div>
      </form>
      <LanguageChoice onChoose={chooseLanguage} />
    </section>
  );
}

/** The form of the personal data. */
function usePersonalForm(profile: Profile) {
  const t = useTexts('profile');
  const { root, focusFirstError } = useErrorFocus();
  const [draft, setDraft] = useState(() => personalOf(profile));
  const [errors, setErrors] = useState<Errors>({});
  const save = useSavePersonal();

  const show = (next: Errors) => {
    setErrors(next);
    focusFirstError();
  };
  const refused = (error: unknown) => {
    const named =
      error instanceof ApiError
        ? Object.entries(error.fields).map(
            ([path, text]) => [FIELD_OF[path.split('.').at(-1) ?? ''], () => text] as const,
          )
        : [];
    const next = Object.fromEntries(named.filter(([field]) => field !== undefined));
    if (Object.keys(next).length > 0) show(next);
    else reportError(error);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (draft.name.trim() === '') show({ name: () => t('personal.nameMissing') });
    else
      save.mutate(draft, {
        onSuccess: (saved) => {
          setDraft(personalOf(saved));
          toast('success', () => t('personal.saved'));
        },
        onError: refused,
      });
  };
  // The language is saved separately: other changes wait for the save button.
  const chooseLanguage = (locale: Locale) => {
    void switchLanguage(locale);
    setDraft((now) => ({ ...now, locale }));
    save.mutate({ ...personalOf(profile), locale }, { onError: reportError });
  };

  const field = (name: Field) => ({
    name,
    label: t(`personal.${name}`),
    value: draft[name],
    error: errors[name]?.(),
    'data-testid': `profile-${name}`,
    onChange: ({ target }: { target: { value: string } }) => {
      setDraft((now): Personal => ({ ...now, [name]: target.value }));
      setErrors(({ [name]: _answered, ...others }) => others);
    },
  });

  return { root, isSaving: save.isPending, submit, chooseLanguage, field };
}

function Facts({ profile }: { profile: Profile }) {
  const t = useTexts('profile');
  const { account, tenantName, department, accountRole } = profile;
  return (
    <dl className="profile-facts">
      <Fact name={t('personal.account')}>{account}</Fact>
      <Fact name={t('personal.role')}>{ACCOUNT_ROLES[accountRole][useLanguage()]}</Fact>
      <Fact name={t('personal.tenant')}>{tenantName}</Fact>
      {department !== '' && <Fact name={t('personal.department')}>{department.split('/').join(' / ')}</Fact>}
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function LanguageChoice({ onChoose }: { onChoose: (locale: Locale) => void }) {
  const t = useTexts('profile');
  const common = useTexts('common');
  const id = useId();
  const language = useLanguage();
  return (
    <fieldset className="profile-language" aria-describedby={`${id}-hint`}>
      <legend>{t('personal.language')}</legend>
      {LOCALES.map((locale) => (
        <label key={locale} lang={locale === 'zh' ? 'zh-CN' : 'en'}>
          <input
            type="radio"
            name={id}
            checked={locale === language}
            data-testid={`profile-language-${locale}`}
            onChange={() => onChoose(locale)}
          />
          {common(`language.${locale}`)}
        </label>
      ))}
      <p id={`${id}-hint`}>{t('personal.languageHint')}</p>
    </fieldset>
  );
}
