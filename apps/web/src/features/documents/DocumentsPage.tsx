import { DOCUMENT_KINDS, type DocumentRow } from '@rmeet/contract';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { api } from '../../lib/api/index.ts';
import { session, system } from '../../lib/browser.ts';
import { download } from '../../lib/download.ts';
import { useTexts } from '../../lib/i18n/index.ts';
import { isFiltered, useListState } from '../../lib/listState.ts';
import { toast } from '../../lib/notify.ts';
import { documentPath } from '../../lib/paths.ts';
import { useMediaQuery } from '../../lib/useMediaQuery.ts';
import { AdminList } from '../../ui/admin/AdminList.tsx';
import { AdminPage } from '../../ui/admin/AdminPage.tsx';
import { FilterSelect } from '../../ui/admin/FilterSelect.tsx';
import { NewButton } from '../../ui/admin/NewButton.tsx';
import { Segments } from '../../ui/Segments.tsx';
import { exportPath, useRemoveAfterAsking } from './acts.ts';
import { useDocumentColumns } from './columns.tsx';
import { listShape, VIEWS } from './listShape.ts';
import { NewDialog } from './NewDialog.tsx';
import { useDocumentChange, useDocumentList } from './queries.ts';
import './documents.css';
import './texts.ts';

/** Minutes, notices and templates: the user's own in the user app, the organisation's in the manage app. */
export function DocumentsPage() {
  const t = useTexts('documents');
  const [state, setState] = useListState(listShape);
  const isTenantAdmin = session.user?.isTenantAdmin ?? false;
  const isTemplates = state.view === 'templates';
  const list = useDocumentList(state, system === 'manage' && isTenantAdmin);
  const isPhone = useMediaQuery('(max-width: 720px)');
  const columns = useDocumentColumns(isPhone);
  const actionsOf = useRowActions();
  const [isCreating, setCreating] = useState(false);
  return (
    <AdminPage title={t(system === 'manage' ? 'titleManage' : 'title')}>
      <Segments
        label={t('views.label')}
        values={VIEWS}
        chosen={isTemplates ? 'templates' : 'documents'}
        textOf={(view) => t(`views.${view}`)}
        onChoose={(view) => setState({ view: view === 'templates' ? view : '' })}
        testId="view"
        className="document-views"
      />
      <AdminList
        name={isPhone ? 'documents-phone' : 'documents'}
        label={t(isTemplates ? 'views.templates' : 'views.documents')}
        columns={columns}
        list={list}
        state={state}
        onState={setState}
        nameOf={({ title }) => title}
        rowActions={actionsOf}
        search={t('search')}
        tools={
          (!isTemplates || isTenantAdmin) && (
            <NewButton
              label={t(isTemplates ? 'newTemplate' : 'new')}
              testId="document-new"
              onClick={() => setCreating(true)}
            />
          )
        }
        filters={
          <FilterSelect
            label={t('column.kind')}
            value={state.kind}
            options={DOCUMENT_KINDS.map((value) => ({ value, label: t(`kind.${value}`) }))}
            onChange={(kind) => setState({ kind })}
            testId="filter-kind"
          />
        }
        filtered={isFiltered(listShape, state, ['view'])}
        empty={
          isTemplates
            ? { title: t('emptyTemplates'), hint: t('emptyTemplatesHint') }
            : { title: t('empty'), hint: t('emptyHint') }
        }
      />
      {isCreating && <NewDialog isTemplate={isTemplates} onClose={() => setCreating(false)} />}
    </AdminPage>
  );
}

/** What can be done with a row of the list. */
function useRowActions() {
  const t = useTexts('documents');
  const remove = useRemoveAfterAsking();
  const navigate = useNavigate();
  const use = useDocumentChange(({ id, kind, title }: DocumentRow) =>
    api.documents.create({ body: { kind, title, templateId: id } }),
  );
  const save = (row: DocumentRow, format: 'docx' | 'pdf') =>
    void download(exportPath(row.id, format)).catch(() => toast('error', () => t('export.failed')));
  return (row: DocumentRow) => [
    {
      key: 'use',
      label: t('use'),
      allowed: row.isTemplate,
      run: () => use.mutate(row, { onSuccess: ({ id }) => void navigate(documentPath(id)) }),
    },
    { key: 'pdf', label: t('export.pdf'), run: () => save(row, 'pdf') },
    { key: 'docx', label: t('export.docx'), run: () => save(row, 'docx') },
    {
      key: 'remove',
      label: t('remove.action'),
      danger: true,
      allowed: row.right === 'manage',
      run: () => void remove(row),
    },
  ];
}
