import { ENTRY_TYPES, localName, type ManagedEntry } from '@rmeet/contract';
import type { ReactNode } from 'react';
import { useLanguage, useTexts } from '../../lib/i18n/index.ts';
import { Button } from '../../ui/Button.tsx';
import { useWords } from './words.ts';

interface EntryPanelProps {
  entry: ManagedEntry;
  entries: readonly ManagedEntry[];
  busy: boolean;
  onEdit: () => void;
  onAddUnder: () => void;
  onHidden: (hidden: boolean) => void;
  onRemove: () => void;
}

/** All details of the selected entry, and its actions. */
export function EntryPanel({ entry, entries, busy, onEdit, onAddUnder, onHidden, onRemove }: EntryPanelProps) {
  const t = useTexts('menus');
  const language = useLanguage();
  const words = useWords(entries);
  const isPermission = entry.type === ENTRY_TYPES.permission;
  const shown = isPermission
    ? (['type', 'code', 'name', 'nameEn', 'isAdmin', 'pid'] as const)
    : ([
        'type',
        'name',
        'nameEn',
        'code',
        'url',
        'redirect',
        'component',
        'componentName',
        'isAdmin',
        'userManageType',
        'pid',
      ] as const);
  return (
    <section className="menu-panel" aria-labelledby="menu-panel-title" data-testid="menu-panel">
      <h2 id="menu-panel-title">{localName(entry, language)}</h2>
      <dl>
        {shown.map((field) => {
          const { label, value } = words(field, { ...entry, code: entry.code ?? '' });
          return (
            <DetailEntry key={field} name={label}>
              {value === '' ? t('none') : value}
            </DetailEntry>
          );
        })}
      </dl>
      <div className="menu-panel-buttons">
        <Button kind="primary" data-testid="menu-edit" onClick={onEdit}>
          {t('action.edit')}
        </Button>
        {!isPermission && (
          <>
            <Button data-testid="menu-add-under" onClick={onAddUnder}>
              {t('action.addUnder')}
            </Button>
            <Button busy={busy} data-testid="menu-hide" onClick={() => onHidden(!entry.hidden)}>
              {t(entry.hidden ? 'action.show' : 'action.hide')}
            </Button>
          </>
        )}
        {!entry.builtIn && (
          <Button kind="quiet" className="menu-remove" busy={busy} data-testid="menu-remove" onClick={onRemove}>
            {t('action.remove')}
          </Button>
        )}
      </div>
    </section>
  );
}

function DetailEntry({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
