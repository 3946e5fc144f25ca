import { PACKAGE_ENDINGS } from '@rmeet/contract';
import { Input } from 'antd';
import { useId, useRef } from 'react';
import { useTexts } from '../../../lib/i18n/index.ts';
import { sizeWords } from '../../../lib/sizeWords.ts';
import { textInput, type Form } from '../../../ui/admin/useForm.ts';
import { Button } from '../../../ui/Button.tsx';
import { FormField } from '../../../ui/FormField.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { Segments } from '../../../ui/Segments.tsx';
import { bringsFile, endingsOf, isLinkOnly, type PackageDraft } from './draft.ts';

interface SourceFieldsProps {
  form: Form<PackageDraft>;
  isSending: boolean;
  onFile: (file: File) => void;
}

/** Where a package comes from: a file that is uploaded, or a link. */
export function SourceFields({ form, isSending, onFile }: SourceFieldsProps) {
  const t = useTexts('clientPackages');
  const { draft, errors, change } = form;
  return (
    <>
      {isLinkOnly(draft) ? (
        <p className="form-field-hint">{t('form.linkOnly')}</p>
      ) : (
        <Segments
          label={t('form.source')}
          values={['file', 'link'] as const}
          chosen={draft.source}
          textOf={(source) => t(source === 'file' ? 'form.sourceFile' : 'form.sourceLink')}
          onChoose={(source) => change({ source })}
          testId="package-source"
        />
      )}
      {bringsFile(draft) ? (
        <FileChoice draft={draft} error={errors.file} disabled={isSending} onFile={onFile} />
      ) : (
        <FormField label={t('form.link')} required error={errors.link} hint={t('form.linkHint')}>
          {(control) => (
            <Input
              {...control}
              {...textInput(form, 'link', 1_000, 'package-link')}
              placeholder="https://downloads.example.org/Rmeet.exe"
            />
          )}
        </FormField>
      )}
    </>
  );
}

interface FileChoiceProps {
  draft: PackageDraft;
  error: string | undefined;
  disabled: boolean;
  onFile: (file: File) => void;
}

function FileChoice({ draft, error, disabled, onFile }: FileChoiceProps) {
  const t = useTexts('clientPackages');
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const { file } = draft;
  return (
    <div className="form-field">
      <span id={`${id}-label`}>
        {t('form.file')}
        <span className="form-field-required" aria-hidden="true">
          {' *'}
        </span>
      </span>
      <input
        ref={input}
        type="file"
        className="visually-hidden"
        tabIndex={-1}
        accept={PACKAGE_ENDINGS[draft.type].map((ending) => `.${ending}`).join()}
        aria-label={t('form.choose')}
        data-testid="package-file"
        onChange={({ target }) => {
          const chosen = target.files?.[0];
          if (chosen) onFile(chosen);
          // Reset, so that the same file can be chosen again.
          target.value = '';
        }}
      />
      <div className="package-file">
        <Button
          disabled={disabled}
          aria-describedby={`${id}-label ${id}-note`}
          aria-invalid={error === undefined ? undefined : true}
          data-testid="package-file-choose"
          onClick={() => input.current?.click()}
        >
          <Icon name="upload" />
          {t(file ? 'form.change' : 'form.choose')}
        </Button>
        <span className="package-file-name" data-testid="package-file-name">
          {file ? t('file', { name: file.name, size: sizeWords(file.size) }) : t('form.noFile')}
        </span>
      </div>
      <p
        id={`${id}-note`}
        className={error === undefined ? 'form-field-hint' : 'form-field-error'}
        role={error === undefined ? undefined : 'alert'}
      >
        {error ?? t('form.fileHint', { endings: endingsOf(draft) })}
      </p>
    </div>
  );
}
