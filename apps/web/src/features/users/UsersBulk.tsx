import type { User } from '@rmeet/contract';
import { usePermission } from '../../lib/access.ts';
import { useTexts } from '../../lib/i18n/index.ts';
import { BulkActions } from '../../ui/admin/BulkActions.tsx';
import { Button } from '../../ui/Button.tsx';
import { Menu, MenuItem } from '../../ui/Menu.tsx';
import type { ChangeKind } from './tasks/ChangeDrawer.tsx';

interface UsersBulkProps {
  selected: readonly User[];
  /** All that the filter matches, if that is more than this page shows. */
  all: { count: string; isChosen: boolean; choose: () => void } | null;
  onChange: (kind: ChangeKind) => void;
  onClear: () => void;
}

const BUTTONS = ['enable', 'disable'] as const;

/** What can be done with the selected users, or with all that the filter matches. */
export function UsersBulk({ selected, all, onChange, onClear }: UsersBulkProps) {
  const t = useTexts('users');
  const admin = useTexts('admin');
  const mayGrant = usePermission('users:grant');
  const more: readonly ChangeKind[] = [
    'move',
    ...(mayGrant ? (['addRole', 'removeRole'] as const) : []),
    'invite',
    'remove',
  ];
  return (
    <BulkActions count={selected.length} onClear={onClear}>
      {all && (
        <Button kind="quiet" aria-pressed={all.isChosen} data-testid="bulk-all" onClick={all.choose}>
          {t(all.isChosen ? 'bulk.allChosen' : 'bulk.chooseAll', { count: all.count })}
        </Button>
      )}
      {BUTTONS.map((kind) => (
        <Button key={kind} data-testid={`bulk-${kind}`} onClick={() => onChange(kind)}>
          {admin(`action.${kind}`)}
        </Button>
      ))}
      <Menu button={t('bulk.more')} label={t('bulk.more')} className="button button-plain" testId="bulk-more">
        {more.map((kind) => (
          <MenuItem key={kind} testId={`bulk-${kind}`} danger={kind === 'remove'} onSelect={() => onChange(kind)}>
            {t(`change.submit.${kind}`)}
          </MenuItem>
        ))}
      </Menu>
    </BulkActions>
  );
}
