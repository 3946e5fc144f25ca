import type { DocumentRow } from '@rmeet/contract';
import { Link } from 'react-router';
import { useTexts } from '../../lib/i18n/index.ts';
import { documentPath } from '../../lib/paths.ts';
import { formatTime } from '../../lib/time.ts';
import type { AdminColumn } from '../../ui/admin/columns.ts';
import type { listShape } from './listShape.ts';

type Column = AdminColumn<DocumentRow, (typeof listShape)['sorts'][number]>;

/** The columns of the list; on a phone one. */
export function useDocumentColumns(isPhone: boolean): Column[] {
  const t = useTexts('documents');
  const title = ({ id, title: name }: DocumentRow) => (
    <Link className="row-link" to={documentPath(id)} data-testid="document-open">
      {name}
    </Link>
  );
  if (isPhone)
    return [
      {
        key: 'title',
        label: t('column.title'),
        width: 260,
        always: true,
        render: (row) => (
          <span className="document-card">
            {title(row)}
            <span>{[t(`kind.${row.kind}`), row.updatedBy, formatTime(row.updatedAt)].join(' · ')}</span>
          </span>
        ),
      },
    ];
  return [
    { key: 'title', label: t('column.title'), width: 260, sort: 'title', always: true, render: title },
    { key: 'kind', label: t('column.kind'), width: 90, render: ({ kind }) => t(`kind.${kind}`) },
    {
      key: 'updatedAt',
      label: t('column.updatedAt'),
      width: 160,
      sort: 'updatedAt',
      always: true,
      render: ({ updatedAt }) => formatTime(updatedAt),
    },
    { key: 'updatedBy', label: t('column.updatedBy'), width: 120, render: ({ updatedBy }) => updatedBy },
    { key: 'owner', label: t('column.owner'), width: 120, render: ({ owner }) => owner.name },
    { key: 'meeting', label: t('column.meeting'), width: 180, render: ({ meeting }) => meeting?.subject ?? '' },
    { key: 'right', label: t('column.right'), width: 100, optional: true, render: ({ right }) => t(`right.${right}`) },
    {
      key: 'createdAt',
      label: t('column.createdAt'),
      width: 160,
      sort: 'createdAt',
      optional: true,
      render: ({ createdAt }) => formatTime(createdAt),
    },
  ];
}
