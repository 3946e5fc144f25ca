import { ENTRY_TYPES, localName, type ManagedEntry } from '@rmeet/contract';
import { useLanguage, useTexts } from '../../lib/i18n/index.ts';
import type { AdminColumn } from '../../ui/admin/columns.ts';

export function usePermissionColumns(): AdminColumn<ManagedEntry, 'sort' | 'code' | 'name' | 'type'>[] {
  const t = useTexts('permissions');
  const language = useLanguage();
  const kinds = ({ grantableTo }: ManagedEntry): string =>
    grantableTo.length === 0 ? t('kind.none') : grantableTo.map((kind) => t(`kind.${kind}`)).join(' / ');
  return [
    {
      key: 'name',
      label: t('column.name'),
      width: 220,
      sort: 'name',
      always: true,
      render: (entry) => localName(entry, language),
    },
    {
      key: 'code',
      label: t('column.code'),
      width: 210,
      sort: 'code',
      render: ({ code }) => code !== null && <code>{code}</code>,
    },
    { key: 'type', label: t('column.type'), width: 100, sort: 'type', render: ({ type }) => t(`type.${type}`) },
    {
      key: 'inUse',
      label: t('column.inUse'),
      width: 130,
      render: ({ type, inUse }) =>
        type === ENTRY_TYPES.permission && !inUse ? (
          <span className="permission-unused">{t('unused')}</span>
        ) : (
          t('inUse')
        ),
    },
    { key: 'origin', label: t('column.origin'), width: 110, render: ({ builtIn }) => t(builtIn ? 'builtIn' : 'own') },
    { key: 'grantableTo', label: t('column.grantableTo'), width: 180, render: kinds },
    {
      key: 'system',
      label: t('column.system'),
      width: 200,
      optional: true,
      render: ({ isAdmin }) => t(`system.${isAdmin}`),
    },
  ];
}
