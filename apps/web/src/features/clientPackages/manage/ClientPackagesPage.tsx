import { CLIENT_PACKAGE_NAMES, type ClientPackage } from '@rmeet/contract';
import { useMutation } from '@tanstack/react-query';
import { api } from '../../../lib/api/index.ts';
import { copyText } from '../../../lib/clipboard.ts';
import { useTexts } from '../../../lib/i18n/index.ts';
import { isFiltered, useListState } from '../../../lib/listState.ts';
import { ask, toast } from '../../../lib/notify.ts';
import { AdminList } from '../../../ui/admin/AdminList.tsx';
import { AdminPage } from '../../../ui/admin/AdminPage.tsx';
import { FilterSelect } from '../../../ui/admin/FilterSelect.tsx';
import { NewButton } from '../../../ui/admin/NewButton.tsx';
import type { RowAction } from '../../../ui/admin/RowActions.tsx';
import { showRefusal } from '../../../ui/admin/showRefusal.ts';
import { useDrawer } from '../../../ui/admin/useDrawer.ts';
import '../downloads/texts.ts';
import { usePackageColumns, usePackageName } from './columns.tsx';
import { listShape, PACKAGE_STATES, type PackageListState } from './listShape.ts';
import { PackageDrawer } from './PackageDrawer.tsx';
import { usePackageList, useRefreshPackages } from './queries.ts';
import './manage.css';
import './texts.ts';

/** `/client-packages` of the platform administration: packages of all types and versions. */
export function ClientPackagesPage() {
  const t = useTexts('clientPackages');
  const [state, setState] = useListState(listShape);
  const list = usePackageList(state);
  const editing = useDrawer<ClientPackage | null>();
  const columns = usePackageColumns(editing.show);
  const nameOf = usePackageName();
  const rowActions = useRowActions(editing.show);

  return (
    <AdminPage
      title={t('title')}
      actions={
        <>
          <a className="button" href="/downloads/" target="_blank" rel="noreferrer" data-testid="package-page">
            {t('page')}
          </a>
          <NewButton label={t('new')} testId="package-new" onClick={() => editing.show(null)} />
        </>
      }
    >
      <AdminList
        name="package"
        label={t('label')}
        columns={columns}
        list={list}
        state={state}
        onState={setState}
        nameOf={nameOf}
        rowActions={rowActions}
        search={t('search')}
        filters={<Filters state={state} onState={setState} />}
        filtered={isFiltered(listShape, state)}
        empty={{ title: t('empty'), hint: t('emptyHint') }}
      />
      {editing.last && (
        <PackageDrawer
          key={editing.last.opening}
          edited={editing.last.value}
          open={editing.open}
          onClose={editing.hide}
        />
      )}
    </AdminPage>
  );
}

interface FiltersProps {
  state: PackageListState;
  onState: (change: Partial<PackageListState>) => void;
}

function Filters({ state, onState }: FiltersProps) {
  const t = useTexts('clientPackages');
  const names = useTexts('downloads');
  return (
    <>
      <FilterSelect
        label={t('column.type')}
        value={state.type}
        options={CLIENT_PACKAGE_NAMES.map((value) => ({ value, label: names(`type.${value}`) }))}
        onChange={(type) => onState({ type })}
        testId="package-type-filter"
      />
      <FilterSelect
        label={t('state.label')}
        value={state.state}
        options={PACKAGE_STATES.map((value) => ({ value, label: t(`state.${value}`) }))}
        onChange={(chosen) => onState({ state: chosen })}
        testId="package-state-filter"
      />
    </>
  );
}

/** The row actions of a package; those that end something ask first. */
function useRowActions(onEdit: (one: ClientPackage) => void) {
  const t = useTexts('clientPackages');
  const common = useTexts('common');
  const refresh = useRefreshPackages();
  const nameOf = usePackageName();
  const { mutate } = useMutation({
    mutationFn: (run: () => Promise<unknown>) => run(),
    meta: { quiet: true },
    onError: (error) => showRefusal(error, t('refused')),
    onSettled: () => void refresh(),
  });
  const withdraw = async (one: ClientPackage) => {
    const name = nameOf(one);
    const question = { title: t('withdraw.title'), text: t('withdraw.text', { name }), okText: t('action.withdraw') };
    if (!(await ask({ ...question, cancelText: common('cancel'), danger: true }))) return;
    mutate(() => api.clientPackages.withdraw({ params: { id: one.id }, body: { withdrawn: true } }), {
      onSuccess: () => toast('success', () => t('withdraw.done', { name })),
    });
  };
  const publish = (one: ClientPackage) =>
    mutate(() => api.clientPackages.withdraw({ params: { id: one.id }, body: { withdrawn: false } }), {
      onSuccess: () => toast('success', () => t('withdraw.published', { name: nameOf(one) })),
    });
  const remove = async (one: ClientPackage) => {
    const name = nameOf(one);
    const question = { title: t('remove.title'), text: t('remove.text', { name }), okText: t('action.remove') };
    if (!(await ask({ ...question, cancelText: common('cancel'), danger: true }))) return;
    mutate(() => api.clientPackages.remove({ params: { id: one.id } }), {
      onSuccess: () => toast('success', () => t('remove.done', { name })),
    });
  };
  return (one: ClientPackage): RowAction[] => {
    const isPublished = one.withdrawnAt === null;
    return [
      { key: 'edit', label: t('action.edit'), run: () => onEdit(one) },
      {
        key: 'copy',
        label: t('action.copy'),
        allowed: isPublished,
        run: () => void copyText(one.url, () => t('action.copied')),
      },
      { key: 'publish', label: t('action.publish'), allowed: !isPublished, run: () => publish(one) },
      {
        key: 'withdraw',
        label: t('action.withdraw'),
        danger: true,
        allowed: isPublished,
        run: () => void withdraw(one),
      },
      { key: 'remove', label: t('action.remove'), danger: true, allowed: !isPublished, run: () => void remove(one) },
    ];
  };
}
