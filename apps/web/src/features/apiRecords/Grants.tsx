import type { ApiClient, ApiGrant } from '@rmeet/contract';
import { useState } from 'react';
import { system } from '../../lib/browser.ts';
import { useTexts } from '../../lib/i18n/index.ts';
import { ask, toast } from '../../lib/notify.ts';
import { formatTime } from '../../lib/time.ts';
import { Button } from '../../ui/Button.tsx';
import { useEndGrant, useGrantForTenant, useGrants } from './queries.ts';
import { RecordList } from './RecordList.tsx';

/** For whom a client may act. An administrator can allow it for everyone. */
export function Grants({ client }: { client: ApiClient }) {
  const t = useTexts('apiRecords');
  const common = useTexts('common');
  const [current, setCurrent] = useState(1);
  const list = useGrants({ id: client.id, current });
  const grant = useGrantForTenant();
  const end = useEndGrant();
  const isForAll = list.data?.records.some(({ user }) => user === null) ?? client.grantedByTenant;

  const grantAll = async (): Promise<void> => {
    const sure = await ask({
      title: t('grants.allTitle'),
      text: t('grants.allText', { name: client.name }),
      okText: t('grants.allow'),
      cancelText: common('cancel'),
      danger: true,
    });
    if (sure) grant.mutate(client.id, { onSuccess: () => toast('success', () => t('grants.allowed')) });
  };

  return (
    <>
      {system === 'manage' && !isForAll && client.state !== 'ended' && (
        <div>
          <Button busy={grant.isPending} data-testid="grant-all" onClick={() => void grantAll()}>
            {t('grants.forAll')}
          </Button>
        </div>
      )}
      <RecordList
        list={list}
        current={current}
        onPage={setCurrent}
        empty={{ title: t('grants.none'), hint: t('grants.noneHint') }}
        render={(row) => (
          <Row
            grant={row}
            busy={end.isPending}
            onEnd={() =>
              end.mutate(
                { id: client.id, grantId: row.id },
                { onSuccess: () => toast('success', () => t('grants.ended')) },
              )
            }
          />
        )}
      />
    </>
  );
}

function Row({ grant, busy, onEnd }: { grant: ApiGrant; busy: boolean; onEnd: () => void }) {
  const t = useTexts('apiRecords');
  const name = grant.user ? `${grant.user.name} (${grant.user.account})` : t('grants.everyone');
  return (
    <div className="api-row api-row-with-button" data-testid="api-grant">
      <div>
        <p>{name}</p>
        <p className="api-row-facts">
          <span>{t('grants.by', { name: grant.grantedBy, time: formatTime(grant.grantedAt) })}</span>
          <span>
            {grant.lastUsedAt === null ? t('grants.unused') : t('grants.used', { time: formatTime(grant.lastUsedAt) })}
          </span>
        </p>
      </div>
      <Button busy={busy} aria-label={t('grants.endNamed', { name })} data-testid="grant-end" onClick={onEnd}>
        {t('grants.end')}
      </Button>
    </div>
  );
}
