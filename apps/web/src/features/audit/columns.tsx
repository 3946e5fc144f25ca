import type { AuditEntry } from '@rmeet/contract';
import { useTexts } from '../../lib/i18n/index.ts';
import { Clipped } from '../../ui/admin/Clipped.tsx';
import type { AdminColumn } from '../../ui/admin/columns.ts';
import { useAuditWords } from './words.ts';

/** `withTenant`: for readers of all tenants' logs. */
export function useAuditColumns(
  onOpen: (entry: AuditEntry) => void,
  withTenant: boolean,
): AdminColumn<AuditEntry, 'at'>[] {
  const t = useTexts('audit');
  const words = useAuditWords();
  const columns: AdminColumn<AuditEntry, 'at'>[] = [
    { key: 'at', label: t('column.at'), width: 190, sort: 'at', always: true, render: ({ at }) => words.time(at) },
    {
      key: 'actor',
      label: t('column.actor'),
      width: 180,
      render: ({ actor, client }) => (
        <Named
          name={client ? t('via', { name: words.actor(actor), client: client.name }) : words.actor(actor)}
          kind={t(`actorKind.${actor.kind}`)}
        />
      ),
    },
    {
      key: 'action',
      label: t('column.action'),
      width: 220,
      always: true,
      render: (entry) => (
        <button type="button" className="row-link" data-testid="audit-action" onClick={() => onOpen(entry)}>
          {words.action(entry.action)}
        </button>
      ),
    },
    {
      key: 'target',
      label: t('column.target'),
      width: 240,
      render: ({ target }) => <Named name={words.target(target)} kind={words.targetKind(target.kind)} />,
    },
    { key: 'tenant', label: t('column.tenant'), width: 160, render: ({ tenantName }) => tenantName },
    { key: 'address', label: t('column.address'), width: 150, optional: true, render: ({ address }) => address },
  ];
  return columns.filter(({ key }) => withTenant || key !== 'tenant');
}

/** A name, with its kind below. */
function Named({ name, kind }: { name: string; kind: string }) {
  return (
    <span className="audit-named">
      <Clipped text={name} />
      <small>{kind}</small>
    </span>
  );
}
