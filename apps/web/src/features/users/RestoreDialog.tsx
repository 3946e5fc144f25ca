import { ACCOUNT_PATTERN, type User } from '@rmeet/contract';
import { useState, type FormEvent } from 'react';
import { sentenceOf } from '../../lib/api/index.ts';
import { useTexts } from '../../lib/i18n/index.ts';
import { toast } from '../../lib/notify.ts';
import { Button } from '../../ui/Button.tsx';
import { PageDialog } from '../../ui/PageDialog.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { useRestoreUser } from './queries.ts';

interface RestoreDialogProps {
  user: User;
  tenant: string;
  onClose: () => void;
}

/** Brings a deleted user back under another account name, because its own is taken by now. */
export function RestoreDialog({ user, tenant, onClose }: RestoreDialogProps) {
  const t = useTexts('users');
  const admin = useTexts('admin');
  const [account, setAccount] = useState('');
  const [fault, setFault] = useState<string>();
  const restoring = useRestoreUser(tenant);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const typed = account.trim();
    if (typed.length < 2 || !ACCOUNT_PATTERN.test(typed)) {
      setFault(admin('invalid.account'));
      return;
    }
    restoring.mutate(
      { id: user.id, account: typed },
      {
        onSuccess: () => {
          toast('success', () => t('restored'));
          onClose();
        },
        onError: (error) => setFault(sentenceOf(error) ?? t('change.unsent')),
      },
    );
  };

  return (
    <PageDialog title={t('restoreTitle')} testId="restore-dialog" onClose={onClose}>
      <form className="user-restore" noValidate onSubmit={submit}>
        <p className="dialog-text">{t('restoreTaken', { account: user.account, name: user.name })}</p>
        <TextField
          label={t('restoreAccount')}
          value={account}
          error={fault}
          required
          maxLength={64}
          autoComplete="off"
          spellCheck={false}
          data-focus
          data-testid="restore-account"
          onChange={({ target }) => {
            setAccount(target.value);
            setFault(undefined);
          }}
        />
        <div className="user-restore-buttons">
          <Button onClick={onClose}>{admin('action.cancel')}</Button>
          <Button type="submit" kind="primary" busy={restoring.isPending} data-testid="restore-submit">
            {admin('action.restore')}
          </Button>
        </div>
      </form>
    </PageDialog>
  );
}
