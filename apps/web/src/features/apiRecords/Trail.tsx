import type { AuditEntry } from '@rmeet/contract';
import { useState } from 'react';
import { useTexts } from '../../lib/i18n/index.ts';
import { formatMoment } from '../../lib/time.ts';
import { useTrail } from './queries.ts';
import { RecordList } from './RecordList.tsx';

/** What was changed at a client, and what it has changed. */
export function Trail({ id }: { id: string }) {
  const t = useTexts('apiRecords');
  const [current, setCurrent] = useState(1);
  const list = useTrail({ id, current });
  return (
    <RecordList
      list={list}
      current={current}
      onPage={setCurrent}
      empty={{ title: t('trail.none'), hint: t('trail.noneHint') }}
      render={(entry) => <Entry entry={entry} />}
    />
  );
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

function Entry({ entry: { at, actor, client, action, target, before, after, address } }: { entry: AuditEntry }) {
  const t = useTexts('apiRecords');
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return (
    <div className="api-row" data-testid="api-trail">
      <p>
        <code>{action}</code>
        <span>{target.name}</span>
      </p>
      <p className="api-row-facts">
        <span>{formatMoment(at)}</span>
        <span>{client ? t('trail.by', { client: client.name, name: actor.name }) : actor.name}</span>
        <span>{address}</span>
      </p>
      {fields.length > 0 && (
        <details>
          <summary>{t('trail.fields', { count: fields.length })}</summary>
          <dl className="api-changes">
            {fields.map((field) => (
              <div key={field}>
                <dt>{field}</dt>
                <dd>
                  {before && field in before && <del>{textOf(before[field])}</del>}
                  {after && field in after && <ins>{textOf(after[field])}</ins>}
                </dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </div>
  );
}
