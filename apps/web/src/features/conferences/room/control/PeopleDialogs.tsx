import { LIMITS } from '@rmeet/contract';
import { useId, useState, type FormEvent, type ReactNode } from 'react';
import type { Call } from '../../../../call/index.ts';
import { reportError } from '../../../../lib/api/index.ts';
import { Button } from '../../../../ui/Button.tsx';
import { useT } from '../../texts.ts';
import { Dialog } from '../../../../ui/Dialog.tsx';
import type { Control } from './useControl.ts';
import './control.css';

/** Maximum length of a reason, as in the contract. */
const REASON = 200;

/** A command that needs input first, and the people it is for. */
export interface PeopleDialog {
  kind: 'rename' | 'remove' | 'refuse';
  people: readonly { termId: string; name: string }[];
}

interface DialogProps {
  dialog: PeopleDialog;
  control: Control;
  onClose: () => void;
}

export function PeopleDialogs(props: DialogProps) {
  switch (props.dialog.kind) {
    case 'rename':
      return <RenameDialog {...props} />;
    case 'remove':
      return <RemoveDialog {...props} />;
    case 'refuse':
      return <RefuseDialog {...props} />;
  }
}

/** Changes the name of the user's own terminal. */
export function RenameSelfDialog({ call, name, onClose }: { call: Call; name: string; onClose: () => void }) {
  const t = useT();
  const rename = async (next: string): Promise<boolean> => {
    if (next === '' || next === name) return true;
    try {
      await call.api.renameSelf({ params: { meetId: call.meetId }, body: { name: next } });
      return true;
    } catch (error) {
      reportError(error);
      return false;
    }
  };
  return (
    <LineDialog
      title={t('hostMenu.renameSelf')}
      testId="rename-self"
      label={t('control.newName')}
      initial={name}
      maxLength={LIMITS.displayName}
      submit={t('control.rename')}
      onSubmit={rename}
      onClose={onClose}
    />
  );
}

interface LineDialogProps {
  title: string;
  testId: string;
  label: string;
  initial: string;
  maxLength: number;
  submit: string;
  children?: ReactNode;
  onSubmit: (text: string) => Promise<boolean>;
  onClose: () => void;
}

/** A dialog with one line of text, submitted by Enter or the button. */
function LineDialog({
  title,
  testId,
  label,
  initial,
  maxLength,
  submit,
  children,
  onSubmit,
  onClose,
}: LineDialogProps) {
  const t = useT();
  const id = useId();
  const [text, setText] = useState(initial);
  const [busy, setBusy] = useState(false);
  const send = async () => {
    setBusy(true);
    if (await onSubmit(text.trim())) onClose();
    setBusy(false);
  };
  return (
    <Dialog title={title} testId={testId} onClose={onClose}>
      <form
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          if (!busy) void send();
        }}
      >
        {children}
        <label className="line-label" htmlFor={id}>
          {label}
        </label>
        <input
          id={id}
          className="line-input"
          value={text}
          maxLength={maxLength}
          autoComplete="off"
          data-focus
          data-testid={`${testId}-text`}
          onChange={(event) => setText(event.target.value)}
        />
        <div className="dialog-buttons">
          <Button onClick={onClose}>{t('leave.cancel')}</Button>
          <Button type="submit" kind="primary" busy={busy} data-testid={`${testId}-submit`}>
            {submit}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function RenameDialog({ dialog: { people }, control: { send }, onClose }: DialogProps) {
  const t = useT();
  const [person] = people;
  if (person === undefined) return null;
  const rename = async (name: string) =>
    name === '' ||
    name === person.name ||
    send({ verb: 'rename', termId: person.termId, name }, t('done.rename', { name }));
  return (
    <LineDialog
      title={t('control.rename')}
      testId="rename"
      label={t('control.newName')}
      initial={person.name}
      maxLength={LIMITS.displayName}
      submit={t('control.rename')}
      onSubmit={rename}
      onClose={onClose}
    />
  );
}

function RefuseDialog({ dialog: { people }, control: { send }, onClose }: DialogProps) {
  const t = useT();
  return (
    <LineDialog
      title={t('control.refuseTitle', { name: namesOf(people) })}
      testId="refuse"
      label={t('control.reason')}
      initial=""
      maxLength={REASON}
      submit={t('people.refuse')}
      onSubmit={(reason) => send({ verb: 'refuse', termIds: people.map(({ termId }) => termId), reason })}
      onClose={onClose}
    >
      <p className="dialog-text">{t('control.refuseHint')}</p>
    </LineDialog>
  );
}

function RemoveDialog({ dialog: { people }, control: { send }, onClose }: DialogProps) {
  const t = useT();
  const remove = (canReturn: boolean) => {
    onClose();
    void send({ verb: 'remove', termIds: people.map(({ termId }) => termId), canReturn });
  };
  return (
    <Dialog title={t('control.removeTitle', { name: namesOf(people) })} testId="remove" onClose={onClose}>
      <p className="dialog-text">{t('control.removeHint')}</p>
      <div className="dialog-buttons">
        <Button onClick={onClose}>{t('leave.cancel')}</Button>
        <Button data-testid="remove-return" onClick={() => remove(true)}>
          {t('control.removeReturn')}
        </Button>
        <Button kind="danger" data-testid="remove-stay-out" onClick={() => remove(false)}>
          {t('control.removeForGood')}
        </Button>
      </div>
    </Dialog>
  );
}

/** Three names at most; more would hide the question. */
function namesOf(people: PeopleDialog['people']): string {
  const names = people
    .slice(0, 3)
    .map(({ name }) => name)
    .join(', ');
  return people.length > 3 ? `${names} … (${people.length})` : names;
}
