import type { Webhook, WebhookDelivery } from '@rmeet/contract';
import { useState } from 'react';
import { useTexts } from '../../../lib/i18n/index.ts';
import { toast } from '../../../lib/notify.ts';
import { formatMoment, formatTime } from '../../../lib/time.ts';
import { Button } from '../../../ui/Button.tsx';
import { SideDrawer } from '../../../ui/SideDrawer.tsx';
import { RecordList } from '../RecordList.tsx';
import { useDeliveries, useResend, useTest } from './queries.ts';

interface DeliveriesDrawerProps {
  webhook: Webhook;
  tenant: string;
  open: boolean;
  onClose: () => void;
}

/** What was sent to a webhook, and what it answered; deliveries can be sent again. */
export function DeliveriesDrawer({ webhook, tenant, open, onClose }: DeliveriesDrawerProps) {
  const t = useTexts('apiRecords');
  const [current, setCurrent] = useState(1);
  const list = useDeliveries(tenant, webhook.id, current);
  const resend = useResend(tenant);
  const test = useTest(tenant);
  const said = ({ state }: WebhookDelivery) =>
    state === 'delivered'
      ? toast('success', () => t('deliveries.sent'))
      : toast('error', () => t('deliveries.failedAgain'));
  return (
    <SideDrawer
      title={t('deliveries.title', { name: webhook.name })}
      open={open}
      onClose={onClose}
      testId="webhook-deliveries"
    >
      <div className="api-records">
        <div>
          <Button
            busy={test.isPending}
            data-testid="webhook-test"
            onClick={() => test.mutate(webhook.id, { onSuccess: said })}
          >
            {t('deliveries.test')}
          </Button>
        </div>
        <RecordList
          list={list}
          current={current}
          onPage={setCurrent}
          empty={{ title: t('deliveries.none'), hint: t('deliveries.noneHint') }}
          render={(delivery) => (
            <Delivery
              delivery={delivery}
              busy={resend.isPending}
              onResend={() => resend.mutate({ id: webhook.id, deliveryId: delivery.id }, { onSuccess: said })}
            />
          )}
        />
      </div>
    </SideDrawer>
  );
}

interface DeliveryProps {
  delivery: WebhookDelivery;
  busy: boolean;
  onResend: () => void;
}

function Delivery({ delivery, busy, onResend }: DeliveryProps) {
  const t = useTexts('apiRecords');
  const { id, event, at, state, attempts, status, answer, ms, nextAt, payload } = delivery;
  return (
    <div className="api-row api-row-with-button" data-testid="webhook-delivery">
      <div>
        <p>
          <code>{event}</code>{' '}
          <span className={state === 'failed' ? 'api-status api-status-failed' : 'api-status'}>
            {t(`deliveries.state.${state}`)}
          </span>
        </p>
        <p className="api-row-facts">
          <span>{formatMoment(at)}</span>
          {status !== null && <span>{t('deliveries.status', { status })}</span>}
          {ms !== null && <span>{t('calls.ms', { ms })}</span>}
          {attempts > 0 && <span>{t('deliveries.attempts', { count: attempts })}</span>}
          {nextAt !== null && state === 'waiting' && <span>{t('deliveries.next', { time: formatTime(nextAt) })}</span>}
        </p>
        {answer !== '' && <p className="api-row-facts">{t('deliveries.answer', { answer })}</p>}
        <details>
          <summary>{t('deliveries.payload')}</summary>
          <pre className="api-payload">{payload}</pre>
        </details>
      </div>
      <Button
        busy={busy}
        aria-label={t('deliveries.resendNamed', { name: `${event} ${id}` })}
        data-testid="delivery-resend"
        onClick={onResend}
      >
        {t('deliveries.resend')}
      </Button>
    </div>
  );
}
