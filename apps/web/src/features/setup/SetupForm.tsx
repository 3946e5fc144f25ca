import { useState, type FormEvent } from 'react';
import { type contract, type Data } from '@rmeet/contract';
import { isApiError, sentenceOf } from '../../lib/api/index.ts';
import { canEncrypt } from '../../lib/encrypt.ts';
import { useTexts } from '../../lib/i18n/index.ts';
import { useErrorFocus } from '../../lib/useErrorFocus.ts';
import { Button } from '../../ui/Button.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { Address } from './Address.tsx';
import { faultsOf, isLoopback, type Answers, type Faults } from './answers.ts';
import { keepAnswers, keptAnswers } from './draft.ts';
import type { SetUp } from './NextSteps.tsx';
import { linkUnder } from './secret.ts';
import { Section } from './Section.tsx';
import { useSetUp } from './useSetUp.ts';

interface SetupFormProps {
  secret: string;
  begun: Data<typeof contract.setup.begin>;
  onDone: (done: SetUp) => void;
}

/** The field that a rejection of the server concerns. */
function refusedField(error: unknown): keyof Answers | null {
  if (isApiError(error, 'TENANT_NAME_TAKEN')) return 'organisation';
  return isApiError(error, 'ACCOUNT_TAKEN') ? 'adminAccount' : null;
}

export function SetupForm({ secret, begun, onDone }: SetupFormProps) {
  const t = useTexts('setup');
  const { root, answers, setUp, refused, isShown, setShown, usesThis, setUsesThis, submit, ...props } = useSetupForm(
    secret,
    begun,
    onDone,
  );
  const { field, account, secretField, password } = props;

  return (
    <form ref={root} className="setup-form" noValidate onSubmit={submit} data-testid="setup-form">
      <div>
        <h1>{t('title')}</h1>
        <p className="setup-hint">{t('lead')}</p>
      </div>
      {!canEncrypt() && (
        <p className="setup-fault" role="alert">
          {t('insecure')}
        </p>
      )}
      <Section number={1} title={t('operator.title')} hint={t('operator.hint')}>
        <TextField {...account('operatorAccount')} />
        <TextField {...field('operatorName', t('name'))} maxLength={60} />
        <TextField {...password('operatorPassword')} />
        <TextField {...secretField('operatorAgain', t('again'))} />
      </Section>
      <Section number={2} title={t('organisation.title')} hint={t('organisation.hint')}>
        <TextField {...field('organisation', t('organisation.name'))} maxLength={100} className="setup-wide" />
      </Section>
      <Section number={3} title={t('administrator.title')} hint={t('administrator.hint')}>
        <TextField {...account('adminAccount')} />
        <TextField {...field('adminName', t('name'))} maxLength={60} />
        <TextField {...password('adminPassword')} />
        <TextField {...secretField('adminAgain', t('again'))} />
      </Section>
      <label className="setup-choice">
        <input type="checkbox" checked={isShown} onChange={() => setShown(!isShown)} />
        <span>{t('show')}</span>
      </label>
      <Section number={4} title={t('address.title')} hint={t('address.hint')}>
        <Address
          {...begun}
          usesThis={usesThis}
          onChange={setUsesThis}
          linkUnder={(origin) => linkUnder(origin, secret, answers)}
        />
      </Section>
      {setUp.isError && refused === null && (
        <p className="setup-fault" role="alert" data-testid="setup-error">
          {sentenceOf(setUp.error) ?? t('unreachable')}
        </p>
      )}
      <Button type="submit" kind="primary" large busy={setUp.isPending} data-testid="setup-submit">
        {t('submit')}
      </Button>
    </form>
  );
}

/** The values of the form, their errors, and the props of its fields. */
// oxlint-disable-next-line max-lines-per-function -- one form: its state and the props of its fields belong together
function useSetupForm(secret: string, begun: SetupFormProps['begun'], onDone: SetupFormProps['onDone']) {
  const t = useTexts('setup');
  const { root, focusFirstError } = useErrorFocus();
  const [answers, setAnswers] = useState(keptAnswers);
  const [faults, setFaults] = useState<Faults>({});
  const [isShown, setShown] = useState(false);
  const [usesThis, setUsesThis] = useState(!isLoopback(location.origin));
  const setUp = useSetUp(secret, onDone);
  const rules = begun.passwordRules;
  const refused = refusedField(setUp.error);

  const change = (name: keyof Answers, value: string) => {
    const next = { ...answers, [name]: value };
    const left = faultsOf(next, rules);
    setAnswers(next);
    keepAnswers(next);
    // Errors of other fields stay while they apply; the error of this field returns when the field loses focus.
    setFaults(
      Object.fromEntries(
        (Object.keys(faults) as (keyof Answers)[])
          .filter((other) => other !== name && left[other])
          .map((other) => [other, left[other]]),
      ),
    );
    if (refused === name) setUp.reset();
  };
  const errorOf = (name: keyof Answers): string | undefined => {
    const fault = faults[name];
    if (fault) return t(fault, { ...rules });
    if (refused !== name) return undefined;
    // The only organisation that exists before the first is the platform.
    return name === 'organisation' ? t('organisation.taken') : sentenceOf(setUp.error);
  };
  const field = (name: keyof Answers, label: string) => ({
    name,
    label,
    value: answers[name],
    error: errorOf(name),
    required: true,
    'data-testid': `setup-${name}`,
    onChange: (event: { target: { value: string } }) => change(name, event.target.value),
  });
  const account = (name: keyof Answers) => ({
    ...field(name, t('account')),
    autoComplete: 'off',
    autoCapitalize: 'none',
    spellCheck: false,
    maxLength: 64,
  });
  const secretField = (name: keyof Answers, label: string) => ({
    ...field(name, label),
    type: isShown ? 'text' : 'password',
    autoComplete: 'new-password',
    maxLength: 128,
    className: 'setup-wide',
  });
  const password = (name: 'operatorPassword' | 'adminPassword') => ({
    ...secretField(name, t('password')),
    hint: t('rules', { ...rules }),
    onBlur: () => answers[name] !== '' && setFaults({ ...faults, [name]: faultsOf(answers, rules)[name] }),
  });

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found = faultsOf(answers, rules);
    setFaults(found);
    if (Object.keys(found).length > 0) focusFirstError();
    else
      setUp.mutate(
        { answers, publicUrl: begun.publicUrls.length === 0 && usesThis ? location.origin : null },
        { onError: focusFirstError },
      );
  };

  return {
    root,
    answers,
    setUp,
    refused,
    isShown,
    setShown,
    usesThis,
    setUsesThis,
    submit,
    field,
    account,
    secretField,
    password,
  };
}
