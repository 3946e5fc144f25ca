import { useTexts } from '../../lib/i18n/index.ts';
import { Button } from '../Button.tsx';
import { BulkActions } from './BulkActions.tsx';
import type { useAccountActions } from './useAccountActions.ts';
import './texts.ts';

interface AccountBulkProps {
  accounts: readonly { id: string; account: string; name: string }[];
  account: ReturnType<typeof useAccountActions>;
  onClear: () => void;
}

/** Enables or disables the selected accounts, all of them or none. */
export function AccountBulk({ accounts, account, onClear }: AccountBulkProps) {
  const t = useTexts('admin');
  return (
    <BulkActions count={accounts.length} onClear={onClear}>
      <Button data-testid="bulk-enable" onClick={() => void account.setEnabled(accounts, true, onClear)}>
        {t('action.enable')}
      </Button>
      <Button data-testid="bulk-disable" onClick={() => void account.setEnabled(accounts, false, onClear)}>
        {t('action.disable')}
      </Button>
    </BulkActions>
  );
}
