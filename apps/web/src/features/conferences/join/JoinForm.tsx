import { useEffect, useId, useRef, useState, type FormEvent, type ReactNode } from 'react';
import { LIMITS } from '@rmeet/contract';
import { Link } from 'react-router';
import { meetingKeyIn } from '../../../lib/meetingKeys.ts';
import { Button } from '../../../ui/Button.tsx';
import { type JoinError, type JoinField } from './join-errors.ts';
import { useT, type T } from '../texts.ts';
import { EarlyNotice } from './EarlyNotice.tsx';

export interface JoinInput {
  number: string;
  /** The chosen meeting of a series; null for the one the number currently stands for. */
  meetId: string | null;
  password: string;
  name: string;
  /** What the user enters as the key of an encrypted meeting; empty if this browser has it, or none is needed. */
  key: string;
}

interface JoinFormProps {
  initial: JoinInput;
  /** Name of the signed-in user, who joins under it; null for a guest. */
  signedInAs: string | null;
  /** The fields to ask for; a field that is known or not needed is left out. */
  asks: ReadonlySet<JoinField>;
  /** Set if joining would enter the meeting of this number before its time. */
  early: EarlyMeeting | null;
  busy: boolean;
  error: JoinError | null;
  onJoin: (input: JoinInput, early: boolean) => void;
}

/** A meeting that has not started yet, but that its host may already enter. */
export interface EarlyMeeting {
  number: string;
  startTime: string;
}

interface Problem {
  field: JoinField;
  text: string;
}

/** Number, password and name, as far as they are needed; each error is shown at its field. */
// oxlint-disable-next-line max-lines-per-function, complexity -- Four fields one after the other: plain JSX.
export function JoinForm({ initial, signedInAs, asks, early, busy, error, onJoin }: JoinFormProps) {
  const t = useT();
  const [input, setInput] = useState(initial);
  const [mistake, setMistake] = useState<Problem | null>(null);
  const form = useRef<HTMLFormElement>(null);
  const refused =
    error === null
      ? null
      : ({
          field: asks.has(error.field) ? error.field : 'form',
          text: error.message || t(`join.errors.${error.fallback}`),
        } as const);
  const problem = mistake ?? refused;

  // If the user types another number, it is another meeting, whose start time is unknown.
  const isEarly = early !== null && input.number.replace(/\D/g, '') === early.number;
  const asksKey = asks.has('key');
  // Typing and Enter are enough: the first field that lacks something has the focus, without fields the button.
  useEffect(() => focusIncomplete(form.current), []);
  // The key is asked for once the meeting is known.
  useEffect(() => {
    if (asksKey) focusIncomplete(form.current);
  }, [asksKey]);
  const problemText = problem?.text ?? '';
  useEffect(() => {
    if (problemText !== '') form.current?.querySelector<HTMLInputElement>('[aria-invalid=true]')?.focus();
  }, [problemText]);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    const number = input.number.replace(/\D/g, '');
    const name = input.name.trim();
    const found = mistakeIn({ ...input, number, name }, asks, t);
    setMistake(found);
    if (found !== null) return;
    const meetId = number === initial.number ? input.meetId : null;
    onJoin({ ...input, number, meetId, name: signedInAs ?? name }, isEarly);
  };

  const field = (name: Exclude<JoinField, 'form'>) => ({
    value: input[name],
    problem: problem?.field === name ? problem.text : null,
    onChange: (value: string) => setInput((before) => ({ ...before, [name]: value })),
  });

  return (
    <form ref={form} className="join-form" noValidate onSubmit={submit}>
      {asks.has('number') && (
        <Field
          label={t('join.number')}
          hint={t('join.numberHint')}
          testId="join-number"
          inputMode="numeric"
          autoComplete="off"
          maxLength={13}
          {...field('number')}
        />
      )}
      {asks.has('password') && (
        <Field
          label={t('join.password')}
          hint={t('join.passwordHint')}
          testId="join-password"
          autoComplete="off"
          maxLength={64}
          {...field('password')}
        />
      )}
      {asksKey && <KeyField isGuest={signedInAs === null} {...field('key')} />}
      {asks.has('name') ? (
        <Field
          label={t('join.name')}
          hint={t('join.nameHint')}
          testId="join-name"
          autoComplete="name"
          maxLength={LIMITS.displayName}
          {...field('name')}
        />
      ) : (
        <p className="join-as">{t('join.as', { name: signedInAs ?? input.name })}</p>
      )}
      {problem?.field === 'form' && (
        <p className="join-error" role="alert" data-testid="join-error">
          {problem.text}
        </p>
      )}
      <SubmitPart busy={busy} early={isEarly ? early : null} />
    </form>
  );
}

/** Without fields the button gets the focus; before its time, a meeting is not opened by an Enter pressed by chance. */
function focusIncomplete(form: HTMLFormElement | null): void {
  const fields = [...(form?.querySelectorAll('input') ?? [])];
  const button = form?.querySelector<HTMLElement>('[type=submit][data-early=false]');
  (fields.find(({ value }) => value === '') ?? fields.at(-1) ?? button)?.focus({ preventScroll: true });
}

/** The first error of the input; null if there is none. */
function mistakeIn(
  { number, name, key }: Pick<JoinInput, 'number' | 'name' | 'key'>,
  asks: ReadonlySet<JoinField>,
  t: T,
): Problem | null {
  if (asks.has('number') && number.length !== 9) return { field: 'number', text: t('join.errors.numberFormat') };
  if (asks.has('key') && meetingKeyIn(key) === null) return { field: 'key', text: t('encryption.keyFormat') };
  if (asks.has('name') && name === '') return { field: 'name', text: t('join.errors.nameMissing') };
  return null;
}

/** The submit button; before the meeting's start with a notice and a way back. */
function SubmitPart({ busy, early }: { busy: boolean; early: EarlyMeeting | null }) {
  const t = useT();
  const isEarly = early !== null;
  return (
    <>
      {isEarly && <EarlyNotice start={new Date(early.startTime)} />}
      <Button type="submit" kind="primary" large busy={busy} data-testid="join-submit" data-early={isEarly}>
        {busy ? t('join.joining') : t(isEarly ? 'early.enter' : 'join.submit')}
      </Button>
      {isEarly && (
        <Link className="join-way join-back" to="/myMeeting" data-testid="join-back">
          {t('early.back')}
        </Link>
      )}
    </>
  );
}

/** The key of an end-to-end encrypted meeting. */
function KeyField({ isGuest, ...props }: Pick<FieldProps, 'value' | 'problem' | 'onChange'> & { isGuest: boolean }) {
  const t = useT();
  return (
    <Field
      label={t('encryption.key')}
      hint={t(isGuest ? 'encryption.keyHint' : 'encryption.keyHintMember')}
      testId="join-key"
      autoComplete="off"
      maxLength={2_000}
      {...props}
    />
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
