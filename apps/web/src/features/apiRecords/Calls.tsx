import type { ApiCall } from '@rmeet/contract';
import { Checkbox } from 'antd';
import { useState } from 'react';
import { useTexts } from '../../lib/i18n/index.ts';
import { formatMoment } from '../../lib/time.ts';
import { useCalls } from './queries.ts';
import { RecordList } from './RecordList.tsx';

/** The calls of a client in the last 30 days. */
export function Calls({ id }: { id: string }) {
  const t = useTexts('apiRecords');
  const [{ current, failed }, setState] = useState({ current: 1, failed: false });
  const list = useCalls({ id, current, failed });
  return (
    <>
      <Checkbox
        checked={failed}
        data-testid="calls-failed"
        onChange={({ target }) => setState({ current: 1, failed: target.checked })}
      >
        {t('calls.failed')}
      </Checkbox>
      <RecordList
        list={list}
        current={current}
        onPage={(page) => setState({ current: page, failed })}
        empty={{ title: t(failed ? 'calls.noneFailed' : 'calls.none'), hint: t('calls.noneHint') }}
        render={(call) => <Call call={call} />}
      />
    </>
  );
}

function Call({ call: { at, action, status, ms, address, user, requestId } }: { call: ApiCall }) {
  const t = useTexts('apiRecords');
  return (
    <div className="api-row" data-testid="api-call">
      <p>
        <code>{action}</code>
        <span className={status < 400 ? 'api-status' : 'api-status api-status-failed'}>{status}</span>
      </p>
      <p className="api-row-facts">
        <span>{formatMoment(at)}</span>
        <span>{t('calls.ms', { ms })}</span>
        <span>{address}</span>
        {user && <span>{t('calls.for', { name: user.name })}</span>}
        <span>{t('calls.request', { id: requestId })}</span>
      </p>
    </div>
  );
}
