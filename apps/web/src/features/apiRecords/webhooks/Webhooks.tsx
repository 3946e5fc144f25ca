import type { Webhook } from '@rmeet/contract';
import { useState } from 'react';
import { system } from '../../../lib/browser.ts';
import { useTexts } from '../../../lib/i18n/index.ts';
import { ask, toast } from '../../../lib/notify.ts';
import { formatTime } from '../../../lib/time.ts';
import { NewButton } from '../../../ui/admin/NewButton.tsx';
import { RowActions, type RowAction } from '../../../ui/admin/RowActions.tsx';
import { useDrawer } from '../../../ui/admin/useDrawer.ts';
import { EmptyState, ErrorState, Loading } from '../../../ui/states.tsx';
import { SecretDialog } from '../SecretDialog.tsx';
import { DeliveriesDrawer } from './DeliveriesDrawer.tsx';
import { useRemoveWebhook, useRotateWebhook, useWebhooks } from './queries.ts';
import { WebhookDrawer, type MadeWebhook } from './WebhookDrawer.tsx';

const MARKS: Record<Webhook['state'], string> = {
  active: 'status-mark',
  disabled: 'status-mark status-mark-off',
  stopped: 'status-mark status-mark-gone',
};

/** The webhooks of an organisation. In the platform's system a tenant has to be chosen. */
export function Webhooks({ tenant }: { tenant: string }) {
  const t = useTexts('apiRecords');
  const admin = useTexts('admin');
  const isReady = system !== 'admin' || tenant !== '';
  const list = useWebhooks(tenant, isReady);
  const editing = useDrawer<Webhook | null>();
  const looking = useDrawer<Webhook>();
  const [made, setMade] = useState<MadeWebhook | null>(null);
  const actionsOf = useRowActions(tenant, { onDeliveries: looking.show, onEdit: editing.show, onMade: setMade });
  if (!isReady) return <EmptyState picture="list" title={admin('tenant.choose')} hint={admin('tenant.chooseHint')} />;
  return (
    <section className="api-webhooks" aria-label={t('webhook.title')}>
      <div className="api-webhooks-bar">
        <p>{t('webhook.lead')}</p>
        <NewButton label={t('webhook.new')} testId="webhook-new" onClick={() => editing.show(null)} />
      </div>
      {list.isPending && <Loading />}
      {list.isError && !list.data && <ErrorState retry={() => void list.refetch()} />}
      {list.data?.length === 0 && (
        <EmptyState picture="list" title={t('webhook.empty')} hint={t('webhook.emptyHint')} />
      )}
      <ul className="api-rows">
        {(list.data ?? []).map((one) => (
          <li key={one.id}>
            <Row webhook={one} actions={actionsOf(one)} />
          </li>
        ))}
      </ul>
      {editing.last && (
        <WebhookDrawer
          key={editing.last.opening}
          webhook={editing.last.value}
          tenant={tenant}
          open={editing.open}
          onClose={editing.hide}
          onCreated={setMade}
        />
      )}
      {looking.last && (
        <DeliveriesDrawer
          key={looking.last.opening}
          webhook={looking.last.value}
          tenant={tenant}
          open={looking.open}
          onClose={looking.hide}
        />
      )}
      <SecretDialog
        made={made && { name: made.webhook.name, values: [['secret', made.secret]] }}
        onClose={() => setMade(null)}
      />
    </section>
  );
}

interface RowProps {
  webhook: Webhook;
  actions: readonly RowAction[];
}

function Row({ webhook, actions }: RowProps) {
  const t = useTexts('apiRecords');
  const { name, url, events, state, client, failingSince, waiting } = webhook;
  return (
    <div className="api-row api-row-with-button" data-testid="webhook-row">
      <div>
        <p>
          <strong>{name}</strong> <span className={MARKS[state]}>{t(`webhook.state.${state}`)}</span>
        </p>
        <p>{url}</p>
        <p className="api-row-facts">
          <span>{events.map((event) => t(`event.${event}`)).join(t('separator'))}</span>
          {client && <span>{t('webhook.by', { name: client.name })}</span>}
          {waiting > 0 && <span>{t('webhook.waiting', { count: waiting })}</span>}
          {failingSince && <span>{t('webhook.failing', { time: formatTime(failingSince) })}</span>}
        </p>
      </div>
      <RowActions name={name} actions={actions} />
    </div>
  );
}

interface RowActionsOptions {
  onDeliveries: (webhook: Webhook) => void;
  onEdit: (webhook: Webhook) => void;
  /** There is a new secret. */
  onMade: (made: MadeWebhook) => void;
}

/** The actions of a row, by its webhook. */
function useRowActions(tenant: string, { onDeliveries, onEdit, onMade }: RowActionsOptions) {
  const t = useTexts('apiRecords');
  const admin = useTexts('admin');
  const { rotate, remove } = useConfirmed(tenant, onMade);
  return (one: Webhook): RowAction[] => [
    { key: 'deliveries', label: t('deliveries.action'), run: () => onDeliveries(one) },
    { key: 'edit', label: admin('action.edit'), run: () => onEdit(one) },
    { key: 'rotate', label: t('rotate.action'), run: () => void rotate(one) },
    { key: 'remove', label: t('webhook.remove'), danger: true, run: () => void remove(one) },
  ];
}

/** Actions after confirmation. */
function useConfirmed(tenant: string, onMade: (made: MadeWebhook) => void) {
  const t = useTexts('apiRecords');
  const common = useTexts('common');
  const rotating = useRotateWebhook(tenant);
  const removing = useRemoveWebhook(tenant);
  return {
    rotate: async ({ id, name }: Webhook): Promise<void> => {
      const sure = await ask({
        title: t('rotate.title', { name }),
        text: t('webhook.rotateText'),
        okText: t('rotate.make'),
        cancelText: common('cancel'),
      });
      if (sure) rotating.mutate(id, { onSuccess: onMade });
    },
    remove: async ({ id, name }: Webhook): Promise<void> => {
      const sure = await ask({
        title: t('webhook.removeTitle'),
        text: t('webhook.removeText', { name }),
        okText: t('webhook.remove'),
        cancelText: common('cancel'),
        danger: true,
      });
      if (sure) removing.mutate(id, { onSuccess: () => toast('success', () => t('webhook.removed', { name })) });
    },
  };
}
