import type { MeetingResource } from '@rmeet/contract';
import { language, useTexts } from '../../lib/i18n/index.ts';
import type { AdminColumn } from '../../ui/admin/columns.ts';
import { RowLink } from '../../ui/admin/RowLink.tsx';
import { StatusMark } from '../../ui/admin/StatusMark.tsx';
import { assigneesOf } from './draft.ts';
import type { ResourceListState } from './listShape.ts';
import { UsageBar } from './UsageBar.tsx';

/** The columns of the list of resources. `onOpen` opens one for editing. */
export function useResourceColumns(
  onOpen: (resource: MeetingResource) => void,
): AdminColumn<MeetingResource, ResourceListState['sort']>[] {
  const t = useTexts('resources');
  const admin = useTexts('admin');
  const number = (value: number): string => value.toLocaleString(language(), { maximumFractionDigits: 1 });
  const usage = (label: string, used: number, limit: number | null) => {
    const text =
      limit === null
        ? t('usedUnlimited', { used: number(used) })
        : t('usedOf', { used: number(used), limit: number(limit) });
    return <UsageBar label={label} used={used} limit={limit} text={text} />;
  };
  return [
    {
      key: 'name',
      label: t('column.name'),
      width: 170,
      sort: 'name',
      always: true,
      render: (resource) => <RowLink name={resource.name} testId="resource-name" onClick={() => onOpen(resource)} />,
    },
    {
      key: 'status',
      label: admin('status.label'),
      width: 90,
      render: ({ enabled }) => <StatusMark status={enabled ? 'enabled' : 'disabled'} />,
    },
    { key: 'zone', label: t('column.zone'), width: 110, sort: 'zone', render: ({ zone }) => zone },
    {
      key: 'ports',
      label: t('column.portsUsed'),
      width: 170,
      sort: 'ports',
      render: ({ portsUsed, ports }) => usage(t('column.portsUsed'), portsUsed, ports),
    },
    {
      key: 'hours',
      label: t('column.hoursUsed'),
      width: 170,
      sort: 'hours',
      render: ({ minutesUsed, hours }) => usage(t('column.hoursUsed'), minutesUsed / 60, hours),
    },
    {
      key: 'assignedTo',
      label: t('column.assignedTo'),
      width: 200,
      render: ({ assignedTo }) => assigneesOf(assignedTo, t),
    },
    { key: 'timeZone', label: t('column.timeZone'), width: 150, optional: true, render: ({ timeZone }) => timeZone },
  ];
}
