import { useMemo, useState } from 'react';
import { useTexts } from '../../lib/i18n/index.ts';
import { AdminPage } from '../../ui/admin/AdminPage.tsx';
import { SwitchField } from '../../ui/admin/SwitchField.tsx';
import { SearchField } from '../../ui/SearchField.tsx';
import { EmptyState, ErrorState, Loading } from '../../ui/states.tsx';
import { byDomain, found, operationsOf, type Operation } from './document.ts';
import { Examples } from './Examples.tsx';
import { OperationDetails } from './OperationDetails.tsx';
import { useOpenApi } from './queries.ts';
import './apiReference.css';
import './texts.ts';

/** `/api-reference`: all calls of this server, from its own OpenAPI document; nothing is loaded from elsewhere. */
export function ApiReferencePage() {
  const t = useTexts('apiReference');
  const document = useOpenApi();
  const [search, setSearch] = useState('');
  const [machinesOnly, setMachinesOnly] = useState(true);
  const operations = useMemo(() => (document.data ? operationsOf(document.data) : []), [document.data]);
  const groups = byDomain(found(operations, search, machinesOnly));
  return (
    <AdminPage title={t('title')}>
      <div className="api-reference">
        <p>{t('lead')}</p>
        <Examples />
        <section aria-labelledby="api-calls">
          <h2 id="api-calls">{t('calls')}</h2>
          <div className="api-reference-bar">
            <SearchField keyword={search} onSearch={setSearch} placeholder={t('search')} testId="reference-search" />
            <SwitchField
              label={t('machinesOnly')}
              checked={machinesOnly}
              testId="reference-machines"
              onChange={setMachinesOnly}
            />
          </div>
          {document.isPending && <Loading />}
          {document.isError && !document.data && <ErrorState retry={() => void document.refetch()} />}
          {document.data && groups.size === 0 && <EmptyState picture="list" title={t('none')} hint={t('noneHint')} />}
          {[...groups].map(([tag, list]) => (
            // Not a landmark: there are many, and the sidebar has some of the same name.
            <div key={tag} className="api-reference-domain">
              <h3>{tag}</h3>
              {list.map((operation) => (
                <OperationRow key={operation.operationId} operation={operation} />
              ))}
            </div>
          ))}
        </section>
      </div>
    </AdminPage>
  );
}

/** A call; its details are made when it is opened. */
function OperationRow({ operation }: { operation: Operation }) {
  const [isOpen, setOpen] = useState(false);
  const { method, path, summary, 'x-scope': scope } = operation;
  return (
    <details
      className="api-reference-row"
      data-testid="reference-operation"
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>
        <span className="api-method">{method}</span>
        <code>{path}</code>
        {scope !== undefined && <span className="api-scope-mark">{scope}</span>}
        <span className="api-summary" lang="en">
          {summary}
        </span>
      </summary>
      {isOpen && <OperationDetails operation={operation} />}
    </details>
  );
}
