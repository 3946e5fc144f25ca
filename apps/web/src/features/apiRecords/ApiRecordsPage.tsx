import { API_CLIENT_STATES, TOKEN_PATH, type ApiClient } from '@rmeet/contract';
import { useState } from 'react';
import { Link } from 'react-router';
import { system } from '../../lib/browser.ts';
import { useTexts } from '../../lib/i18n/index.ts';
import { isFiltered, useListState } from '../../lib/listState.ts';
import { ask, toast } from '../../lib/notify.ts';
import { AdminList } from '../../ui/admin/AdminList.tsx';
import { AdminPage } from '../../ui/admin/AdminPage.tsx';
import { FilterSelect } from '../../ui/admin/FilterSelect.tsx';
import { NewButton } from '../../ui/admin/NewButton.tsx';
import { TenantPicker } from '../../ui/admin/TenantPicker.tsx';
import { useDrawer } from '../../ui/admin/useDrawer.ts';
import { Segments } from '../../ui/Segments.tsx';
import { ClientDrawer, type MadeSecret } from './ClientDrawer.tsx';
import { useClientColumns } from './columns.tsx';
import { listShape, type ClientListState } from './listShape.ts';
import { useClientList, useEndClient } from './queries.ts';
import { RecordsDrawer } from './RecordsDrawer.tsx';
import { RotateDialog } from './RotateDialog.tsx';
import { SecretDialog } from './SecretDialog.tsx';
import { Webhooks } from './webhooks/Webhooks.tsx';
import './apiRecords.css';
import './texts.ts';

const VIEWS = ['clients', 'webhooks'] as const;

/** The API clients and webhooks: of the own organisation in the manage system, of all in the platform's. */
export function ApiRecordsPage() {
  const t = useTexts('apiRecords');
  const [state, setState] = useListState(listShape);
  const isHooks = state.view === 'webhooks';
  return (
    <AdminPage
      title={t('title')}
      actions={
        <>
          {system === 'admin' && (
            <TenantPicker
              value={state.tenant}
              {...(isHooks ? {} : { allText: t('allTenants') })}
              onChange={(tenant) => setState({ tenant })}
            />
          )}
          <Link to="/api-reference" data-testid="api-reference">
            {t('reference')}
          </Link>
        </>
      }
    >
      <Segments
        label={t('views.label')}
        values={VIEWS}
        chosen={isHooks ? 'webhooks' : 'clients'}
        textOf={(view) => t(`views.${view}`)}
        onChoose={(view) => setState({ view: view === 'webhooks' ? view : '' })}
        testId="view"
        className="api-views"
      />
      {isHooks ? <Webhooks tenant={state.tenant} /> : <Clients state={state} onState={setState} />}
    </AdminPage>
  );
}

interface ClientsProps {
  state: ClientListState;
  onState: (change: Partial<ClientListState>) => void;
}

// oxlint-disable-next-line max-lines-per-function -- plain JSX of one list
function Clients({ state, onState: setState }: ClientsProps) {
  const t = useTexts('apiRecords');
  const admin = useTexts('admin');
  const list = useClientList(state);
  const editing = useDrawer<ApiClient | null>();
  const looking = useDrawer<ApiClient>();
  const [rotating, setRotating] = useState<ApiClient | null>(null);
  const [made, setMade] = useState<MadeSecret | null>(null);
  const end = useEndAfterAsking();
  const open = (client: ApiClient) => (client.state === 'ended' ? looking.show(client) : editing.show(client));
  const columns = useClientColumns(open, system === 'admin');

  return (
    <>
      <AdminList
        name="api-client"
        label={t('title')}
        columns={columns}
        list={list}
        state={state}
        onState={setState}
        nameOf={({ name }) => name}
        rowActions={(client) => [
          { key: 'records', label: t('records.action'), run: () => looking.show(client) },
          { key: 'edit', label: admin('action.edit'), allowed: client.state !== 'ended', run: () => open(client) },
          {
            key: 'rotate',
            label: t('rotate.action'),
            allowed: client.state !== 'ended' && client.publicKey === '',
            run: () => setRotating(client),
          },
          {
            key: 'end',
            label: t('end.action'),
            danger: true,
            allowed: client.state !== 'ended',
            run: () => void end(client),
          },
        ]}
        actionsWidth={130}
        search={t('search')}
        tools={<NewButton label={t('new')} testId="api-client-new" onClick={() => editing.show(null)} />}
        filters={
          <FilterSelect
            label={t('column.state')}
            value={state.state}
            options={API_CLIENT_STATES.map((value) => ({ value, label: t(`state.${value}`) }))}
            onChange={(value) => setState({ state: value })}
            testId="filter-state"
          />
        }
        filtered={isFiltered(listShape, state, ['tenant', 'view'])}
        empty={{ title: t('empty'), hint: t('emptyHint') }}
      />
      {editing.last && (
        <ClientDrawer
          key={editing.last.opening}
          client={editing.last.value}
          tenant={state.tenant}
          open={editing.open}
          onClose={editing.hide}
          onCreated={setMade}
        />
      )}
      {looking.last && (
        <RecordsDrawer
          key={looking.last.opening}
          client={looking.last.value}
          open={looking.open}
          onClose={looking.hide}
        />
      )}
      {rotating && <RotateDialog client={rotating} onClose={() => setRotating(null)} onMade={setMade} />}
      <SecretDialog
        made={
          made && {
            name: made.client.name,
            values: [
              ['address', `${location.origin}${TOKEN_PATH}`],
              ['id', made.client.id],
              ['secret', made.secret ?? ''],
            ],
          }
        }
        onClose={() => setMade(null)}
      />
    </>
  );
}

/** Ends a client after confirmation. */
function useEndAfterAsking() {
  const t = useTexts('apiRecords');
  const common = useTexts('common');
  const ending = useEndClient();
  return async (client: ApiClient): Promise<void> => {
    const sure = await ask({
      title: t('end.title'),
      text: t('end.text', { name: client.name }),
      okText: t('end.action'),
      cancelText: common('cancel'),
      danger: true,
    });
    if (sure) ending.mutate(client, { onSuccess: () => toast('success', () => t('end.done', { name: client.name })) });
  };
}
