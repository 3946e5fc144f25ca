import { packageNameOf, type ClientPackage } from '@rmeet/contract';
import { useTexts } from '../../../lib/i18n/index.ts';
import { sizeWords } from '../../../lib/sizeWords.ts';
import { formatTime } from '../../../lib/time.ts';
import type { AdminColumn } from '../../../ui/admin/columns.ts';
import { RowLink } from '../../../ui/admin/RowLink.tsx';
import type { PackageListState } from './listShape.ts';

/** The name of a package: its type and version. */
export function usePackageName(): (one: Pick<ClientPackage, 'type' | 'version'>) => string {
  const t = useTexts('downloads');
  return ({ type, version }) => {
    const name = packageNameOf(type);
    return `${name === undefined ? type : t(`type.${name}`)} ${version}`;
  };
}

const stateOf = ({ withdrawnAt, isCurrent }: ClientPackage) =>
  withdrawnAt !== null ? 'withdrawn' : isCurrent ? 'current' : 'published';

const MARKS = {
  current: 'status-mark',
  published: 'status-mark status-mark-invited',
  withdrawn: 'status-mark status-mark-off',
} as const;

/** The columns of the list of packages. `onOpen` opens a package for editing. */
export function usePackageColumns(
  onOpen: (one: ClientPackage) => void,
): AdminColumn<ClientPackage, PackageListState['sort']>[] {
  const t = useTexts('clientPackages');
  const names = useTexts('downloads');
  return [
    {
      key: 'version',
      label: t('column.version'),
      width: 110,
      always: true,
      render: (one) => <RowLink name={one.version} testId="package-version" onClick={() => onOpen(one)} />,
    },
    {
      key: 'type',
      label: t('column.type'),
      width: 190,
      always: true,
      render: ({ type }) => {
        const name = packageNameOf(type);
        return name === undefined ? String(type) : names(`type.${name}`);
      },
    },
    {
      key: 'state',
      label: t('column.state'),
      width: 110,
      render: (one) => <span className={MARKS[stateOf(one)]}>{t(`state.${stateOf(one)}`)}</span>,
    },
    {
      key: 'rollout',
      label: t('column.rollout'),
      width: 170,
      render: ({ rollout, tenants }) => {
        if (rollout.kind === 'percent') return t('rollout.percent', { percent: rollout.percent });
        if (rollout.kind === 'all') return t('rollout.all');
        return tenants.length === 1 ? (tenants[0]?.name ?? '') : t('rollout.tenants', { count: tenants.length });
      },
    },
    {
      key: 'source',
      label: t('column.source'),
      width: 260,
      render: ({ file, url }) => (file ? t('file', { name: file.name, size: sizeWords(file.size) }) : url),
    },
    {
      key: 'minimal',
      label: t('column.minimal'),
      width: 110,
      render: ({ minimalVersion }) => minimalVersion ?? t('none'),
    },
    {
      key: 'published',
      label: t('column.published'),
      width: 150,
      render: ({ publishedAt }) => formatTime(publishedAt),
    },
    { key: 'publishedBy', label: t('column.publishedBy'), width: 130, render: ({ publishedBy }) => publishedBy },
  ];
}
