import { useState, type FormEvent, type ReactNode } from 'react';
import { type contract, type Data } from '@rmeet/contract';
import { sentenceOf } from '../../lib/api/index.ts';
import { canEncrypt } from '../../lib/encrypt.ts';
import { useTexts } from '../../lib/i18n/index.ts';
import { useFaultFocus } from '../../lib/useFaultFocus.ts';
import { Button } from '../../ui/Button.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { faultsOf, FIRST, isLoopback, type Answers, type Faults } from './answers.ts';
import type { SetUp } from './NextSteps.tsx';
import { useSetUp } from './useSetUp.ts';

type Begun = Data<typeof contract.setup.begin>;

interface SetupFormProps {
  secret: string;
  begun: Begun;
  onDone: (done: SetUp) => void;
}

export function SetupForm({ secret, begun, onDone }: SetupFormProps) {
  const t = useTexts('setup');
  const { root, focusFault } = useFaultFocus();
  const [answers, setAnswers] = useState(FIRST);
  const [faults, setFaults] = useState<Faults>({});
  const [isShown, setShown] = useState(false);
  const [usesThis, setUsesThis] = useState(!isLoopback(location.origin));
  const setUp = useSetUp(secret, onDone);
  const rules = t('rules', { ...begun.passwordRules });

  const field = (name: keyof Answers, label: string) => ({
    name, label, value: answers[name], error: faults[name] && t(faults[name]), required: true, 'data-testid': `setup-${name}`,
    onChange: (event: { target: { value: string } }) => {
      setAnswers({ ...answers, [name]: event.target.value });
      setFaults({ ...faults, [name]: undefined });
    },
  });
  const account = (name: keyof Answers) => ({ ...field(name, t('account')), autoComplete: 'off', autoCapitalize: 'none', spellCheck: false, maxLength: 64 });
  const password = (name: keyof Answers, label: string) => ({ ...field(name, label), type: isShown ? 'text' : 'password', autoComplete: 'new-password', maxLength: 128 });

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found = faultsOf(answers);
    setFaults(found);
    if (Object.keys(found).length > 0) focusFault();
    else setUp.mutate({ answers, publicUrl: begun.publicUrls.length === 0 && usesThis ? location.origin : null });
  };

  return (
    <form ref={root} className="setup-form" noValidate onSubmit={submit} data-testid="setup-form">
      <div>
        <h1>{t('title')}</h1>
        <p className="setup-hint">{t('lead')}</p>
      </div>
      {!canEncrypt() && <p className="setup-fault" role="alert">{t('insecure')}</p>}
      <Section number={1} title={t('operator.title')} hint={t('operator.hint')}>
        <TextField {...account('operatorAccount')} />
        <TextField {...field('operatorName', t('name'))} maxLength={60} />
        <TextField {...password('operatorPassword', t('password'))} hint={rules} className="setup-wide" />
        <TextField {...password('operatorAgain', t('again'))} className="setup-wide" />
      </Section>
      <Section number={2} title={t('organisation.title')} hint={t('organisation.hint')}>
        <TextField {...field('organisation', t('organisation.name'))} maxLength={100} className="setup-wide" />
      </Section>
      <Section number={3} title={t('administrator.title')} hint={t('administrator.hint')}>
        <TextField {...account('adminAccount')} />
        <TextField {...field('adminName', t('name'))} maxLength={60} />
        <TextField {...password('adminPassword', t('password'))} hint={rules} className="setup-wide" />
        <TextField {...password('adminAgain', t('again'))} className="setup-wide" />
      </Section>
      <label className="setup-show">
        <input type="checkbox" checked={isShown} onChange={() => setShown(!isShown)} /> {t('show')}
      </label>
      <Section number={4} title={t('address.title')} hint={t('address.hint')}>
        <Address begun={begun} usesThis={usesThis} onChange={setUsesThis} />
      </Section>
      {setUp.isError && <p className="setup-fault" role="alert" data-testid="setup-error">{sentenceOf(setUp.error) ?? t('unreachable')}</p>}
      <Button type="submit" kind="primary" large busy={setUp.isPending} data-testid="setup-submit">{t('submit')}</Button>
    </form>
  );
}

function Section({ number, title, hint, children }: { number: number; title: string; hint: string; children: ReactNode }) {
  return (
    <fieldset className="setup-section">
      <legend>
        <span className="setup-number" aria-hidden="true">{number}</span> {title}
      </legend>
      <p className="setup-hint setup-wide">{hint}</p>
      {children}
    </fieldset>
  );
}

/** The address this page is at has been tried by opening it; another one is tried by opening the link there. */
function Address({ begun: { publicUrls, seenAs }, usesThis, onChange }: { begun: Begun; usesThis: boolean; onChange: (usesThis: boolean) => void }) {
  const t = useTexts('setup');
  const { origin } = location;
  if (publicUrls.length > 0) return <p className="setup-wide">{t('address.fixed', { urls: publicUrls.join(', ') })}</p>;
  return (
    <div className="setup-wide setup-address">
      {([true, false] as const).map((use) => (
        <label key={String(use)}>
          <input type="radio" name="address" checked={usesThis === use} onChange={() => onChange(use)} data-testid={use ? 'setup-this' : 'setup-later'} /> {use ? t('address.use', { origin }) : t('address.later')}
        </label>
      ))}
      {isLoopback(origin) && <p className="setup-hint">{t('address.loopback', { origin })}</p>}
      {seenAs !== origin && <p className="setup-fault">{t('address.proxy', { seen: seenAs })}</p>}
      <p className="setup-hint">{t('address.other', { origin })}</p>
    </div>
  );
}
