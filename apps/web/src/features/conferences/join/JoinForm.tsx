import { useEffect, useId, useRef, useState, type FormEvent, type ReactNode } from 'react';
import { LIMITS } from '@rmeet/contract';
import { Button } from '../../../ui/Button.tsx';
import { type JoinError, type JoinField } from '../model/join-errors.ts';
import { useT } from '../texts.ts';

export interface JoinInput {
  number: string;
  password: string;
  name: string;
}

interface JoinFormProps {
  initial: JoinInput;
  /** Name of the signed-in person, who joins as themselves; null for a guest. */
  signedInAs: string | null;
  /** A guest link stands for number and password. */
  byLink?: boolean;
  busy: boolean;
  error: JoinError | null;
  onJoin: (input: JoinInput) => void;
}

interface Problem {
  field: JoinField;
  text: string;
}

/** Number, password and name; each failure is told at the field it belongs to. */
export function JoinForm({ initial, signedInAs, byLink = false, busy, error, onJoin }: JoinFormProps) {
  const t = useT();
  const [input, setInput] = useState(initial);
  const [mistake, setMistake] = useState<Problem | null>(null);
  const form = useRef<HTMLFormElement>(null);
  const isAsked = (field: JoinField): boolean => !byLink || field === 'name';
  const refused = error === null ? null : { field: isAsked(error.field) ? error.field : 'form', text: error.message || t(`join.errors.${error.fallback}`) } as const;
  const problem = mistake ?? refused;

  const problemText = problem?.text ?? '';
  useEffect(() => {
    if (problemText !== '') form.current?.querySelector<HTMLInputElement>('[aria-invalid=true]')?.focus();
  }, [problemText]);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    const number = input.number.replace(/\D/g, '');
    const name = input.name.trim();
    if (!byLink && number.length !== 9) setMistake({ field: 'number', text: t('join.errors.numberFormat') });
    else if (signedInAs === null && name === '') setMistake({ field: 'name', text: t('join.errors.nameMissing') });
    else {
      setMistake(null);
      onJoin({ number, password: input.password, name: signedInAs ?? name });
    }
  };

  const field = (name: Exclude<JoinField, 'form'>) => ({
    value: input[name],
    problem: problem?.field === name ? problem.text : null,
    onChange: (value: string) => setInput((before) => ({ ...before, [name]: value })),
  });

  return (
    <form ref={form} className="join-form" noValidate onSubmit={submit}>
      {!byLink && (
        <>
          <Field label={t('join.number')} hint={t('join.numberHint')} testId="join-number" inputMode="numeric" autoComplete="off" maxLength={13} {...field('number')} />
          <Field label={t('join.password')} hint={t('join.passwordHint')} testId="join-password" autoComplete="off" maxLength={64} {...field('password')} />
        </>
      )}
      {signedInAs === null ? (
        <Field label={t('join.name')} hint={t('join.nameHint')} testId="join-name" autoComplete="name" maxLength={LIMITS.displayName} {...field('name')} />
      ) : (
        <p className="join-as">{t('join.as', { name: signedInAs })}</p>
      )}
      {problem?.field === 'form' && (
        <p className="join-error" role="alert" data-testid="join-error">
          {problem.text}
        </p>
      )}
      <Button type="submit" kind="primary" large busy={busy} data-testid="join-submit">
        {busy ? t('join.joining') : t('join.submit')}
      </Button>
    </form>
  );
}

interface FieldProps {
  label: string;
  hint: string;
  value: string;
  problem: string | null;
  testId: string;
  onChange: (value: string) => void;
  inputMode?: 'numeric';
  autoComplete: string;
  maxLength: number;
}

function Field({ label, hint, value, problem, testId, onChange, ...input }: FieldProps): ReactNode {
  const id = useId();
  return (
    <div className="join-field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        value={value}
        data-testid={testId}
        aria-invalid={problem !== null}
        aria-describedby={`${id}-note`}
        onChange={(event) => onChange(event.target.value)}
        {...input}
      />
      {problem === null ? (
        <p id={`${id}-note`} className="join-hint">
          {hint}
        </p>
      ) : (
        <p id={`${id}-note`} className="join-error" role="alert" data-testid="join-error">
          {problem}
        </p>
      )}
    </div>
  );
}
