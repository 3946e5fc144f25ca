import { DOCUMENT_KINDS, type DocumentKind } from '@rmeet/contract';
import { Input, Select } from 'antd';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { api } from '../../lib/api/index.ts';
import { useTexts } from '../../lib/i18n/index.ts';
import { documentPath } from '../../lib/paths.ts';
import { Button } from '../../ui/Button.tsx';
import { FormField } from '../../ui/FormField.tsx';
import { PageDialog } from '../../ui/PageDialog.tsx';
import { useDocumentChange, useTemplates } from './queries.ts';

const popup = (select: HTMLElement) => select.closest('dialog') ?? document.body;

/** Makes a document or a template and opens it. */
export function NewDialog({ isTemplate, onClose }: { isTemplate: boolean; onClose: () => void }) {
  const t = useTexts('documents');
  const navigate = useNavigate();
  const [title, setTitle] = useState('');
  const [kind, setKind] = useState<DocumentKind>('minutes');
  const [templateId, setTemplate] = useState('');
  const [isTried, setTried] = useState(false);
  const create = useDocumentChange(() =>
    api.documents.create({ body: { title, kind, isTemplate, ...(templateId !== '' && { templateId }) } }),
  );
  const submit = () => {
    setTried(true);
    if (title.trim() !== '') create.mutate(undefined, { onSuccess: ({ id }) => void navigate(documentPath(id)) });
  };
  const isMissing = isTried && title.trim() === '';
  return (
    <PageDialog title={t(isTemplate ? 'newTemplate' : 'new')} testId="document-form" onClose={onClose}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <FormField label={t('column.title')} required error={isMissing ? t('titleMissing') : undefined}>
          {(control) => (
            <Input
              {...control}
              value={title}
              maxLength={120}
              autoFocus
              data-testid="document-title"
              onChange={(event) => setTitle(event.target.value)}
            />
          )}
        </FormField>
        <FormField label={t('column.kind')}>
          {(control) => (
            <Select
              {...control}
              value={kind}
              getPopupContainer={popup}
              options={DOCUMENT_KINDS.map((value) => ({ value, label: t(`kind.${value}`) }))}
              data-testid="document-kind"
              onChange={setKind}
            />
          )}
        </FormField>
        <TemplateField value={templateId} onChange={setTemplate} />
        <div className="document-buttons">
          <Button kind="primary" type="submit" busy={create.isPending} data-testid="document-create">
            {t('create')}
          </Button>
        </div>
      </form>
    </PageDialog>
  );
}

/** The template that a new document begins with. */
function TemplateField({ value, onChange }: { value: string; onChange: (id: string) => void }) {
  const t = useTexts('documents');
  const templates = useTemplates();
  const options = (templates.data?.records ?? []).map((row) => ({ value: row.id, label: row.title }));
  return (
    <FormField label={t('template')} error={templates.isError ? t('templatesFailed') : undefined}>
      {(control) => (
        <Select
          {...control}
          value={value}
          getPopupContainer={popup}
          options={[{ value: '', label: t('noTemplate') }, ...options]}
          data-testid="document-template"
          onChange={onChange}
        />
      )}
    </FormField>
  );
}
