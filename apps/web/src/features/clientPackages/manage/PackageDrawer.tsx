import { CLIENT_PACKAGE_NAMES, type ClientPackage, type ClientPackageName } from '@rmeet/contract';
import { Input, Select } from 'antd';
import { useRef } from 'react';
import { ApiError, api } from '../../../lib/api/index.ts';
import { findRow } from '../../../lib/findRow.ts';
import { useTexts } from '../../../lib/i18n/index.ts';
import { toast } from '../../../lib/notify.ts';
import { sizeWords } from '../../../lib/sizeWords.ts';
import type { Describe } from '../../../ui/admin/ConflictNotice.tsx';
import { FormDrawer } from '../../../ui/admin/FormDrawer.tsx';
import { textInput, useForm, type Form } from '../../../ui/admin/useForm.ts';
import { Button } from '../../../ui/Button.tsx';
import { FormField } from '../../../ui/FormField.tsx';
import { usePackageName } from './columns.tsx';
import { bodyOf, bringsFile, draftOf, endingsOf, faultsOf, newPackage, typeOf, type PackageDraft } from './draft.ts';
import { useRefreshPackages } from './queries.ts';
import { RolloutFields } from './RolloutFields.tsx';
import { SourceFields } from './SourceFields.tsx';
import { useUpload } from './useUpload.ts';

interface PackageDrawerProps {
  /** Null for a new one. */
  edited: ClientPackage | null;
  open: boolean;
  onClose: () => void;
}

/** Publishes a package, or changes who gets it. */
export function PackageDrawer({ edited, open, onClose }: PackageDrawerProps) {
  const t = useTexts('clientPackages');
  const nameOf = usePackageName();
  const file = useRef<File>(null);
  const upload = useUpload();
  const form = usePackageForm({ edited, open, onClose }, file, upload);
  const describe = useDescribe();
  const cancel = () => {
    upload.cancel();
    toast('warning', () => t('upload.cancelled'));
  };
  return (
    <FormDrawer
      title={edited ? t('form.titleEdit', { name: nameOf(edited) }) : t('form.titleNew')}
      open={open}
      onClose={() => {
        upload.cancel();
        onClose();
      }}
      form={form}
      describe={describe}
      {...(edited ? {} : { submitText: t('form.submitNew') })}
      testId="package-form"
    >
      {edited === null && (
        <>
          <What form={form} />
          <SourceFields
            form={form}
            isSending={upload.progress !== null}
            onFile={(chosen) => {
              file.current = chosen;
              form.change({ file: { name: chosen.name, size: chosen.size } });
            }}
          />
          {upload.progress !== null && form.draft.file && (
            <Progress progress={upload.progress} size={form.draft.file.size} onCancel={cancel} />
          )}
        </>
      )}
      <RolloutFields form={form} known={edited?.tenants ?? []} />
      <Details form={form} />
    </FormDrawer>
  );
}

type Fields = { form: Form<PackageDraft> };

/** Type and version, which a published package keeps. */
function What({ form }: Fields) {
  const t = useTexts('clientPackages');
  const names = useTexts('downloads');
  const { draft, errors, change } = form;
  return (
    <div className="admin-form-row">
      <FormField label={t('form.type')} required error={errors.type}>
        {(control) => (
          <Select<ClientPackageName>
            {...control}
            value={draft.type}
            options={CLIENT_PACKAGE_NAMES.map((value) => ({ value, label: names(`type.${value}`) }))}
            showSearch={{ optionFilterProp: 'label' }}
            data-testid="package-type"
            onChange={(type) => change({ type })}
          />
        )}
      </FormField>
      <FormField label={t('form.version')} required error={errors.version} hint={t('form.versionHint')}>
        {(control) => <Input {...control} {...textInput(form, 'version', 30, 'package-field-version')} />}
      </FormField>
    </div>
  );
}

function Details({ form }: Fields) {
  const t = useTexts('clientPackages');
  const { errors } = form;
  return (
    <>
      <FormField label={t('form.minimalVersion')} error={errors.minimalVersion} hint={t('form.minimalHint')}>
        {(control) => <Input {...control} {...textInput(form, 'minimalVersion', 30, 'package-minimal')} />}
      </FormField>
      <FormField label={t('form.notes')} error={errors.notes} hint={t('form.notesHint')}>
        {(control) => (
          <Input.TextArea
            {...control}
            {...textInput(form, 'notes', 1_000, 'package-notes')}
            autoSize={{ minRows: 3, maxRows: 10 }}
          />
        )}
      </FormField>
    </>
  );
}

interface ProgressProps {
  /** 0 to 1. */
  progress: number;
  /** Bytes of the file. */
  size: number;
  onCancel: () => void;
}

/** How much of the file was sent. */
function Progress({ progress, size, onCancel }: ProgressProps) {
  const t = useTexts('clientPackages');
  const words = t('upload.sent', {
    percent: Math.floor(progress * 100),
    done: sizeWords(Math.round(size * progress)),
    total: sizeWords(size),
  });
  return (
    <div className="package-progress" data-testid="package-progress">
      <progress aria-label={t('upload.label')} max={1} value={progress} />
      <span>{progress < 1 ? words : t('upload.checking')}</span>
      <Button data-testid="package-upload-cancel" onClick={onCancel}>
        {t('upload.cancel')}
      </Button>
    </div>
  );
}

/** Checks a new package, then sends it with its file. */
async function publish(
  draft: PackageDraft,
  file: File | null,
  upload: ReturnType<typeof useUpload>,
): Promise<ClientPackage> {
  const body = { ...bodyOf(draft), type: typeOf(draft), version: draft.version.trim() };
  if (!bringsFile(draft)) return api.clientPackages.create({ body: { ...body, link: draft.link.trim() } });
  if (!file) throw new Error('The form has no file.');
  // Before the file is sent: what the server refuses, and the proof of who the user is.
  await api.clientPackages.check({ body });
  return upload.send(body, file);
}

function usePackageForm(
  { edited, onClose }: PackageDrawerProps,
  file: { readonly current: File | null },
  upload: ReturnType<typeof useUpload>,
) {
  const t = useTexts('clientPackages');
  const admin = useTexts('admin');
  const refresh = useRefreshPackages();
  return useForm<PackageDraft, ClientPackage>({
    initial: edited ? draftOf(edited) : newPackage,
    version: edited?.edition ?? 0,
    check: (draft) =>
      Object.fromEntries(
        Object.entries(faultsOf(draft, edited === null)).map(([field, fault]) => [
          field,
          t(`invalid.${fault}`, { endings: endingsOf(draft) }),
        ]),
      ),
    send: (draft, edition) =>
      edited
        ? api.clientPackages.update({ params: { id: edited.id }, body: { ...bodyOf(draft), edition } })
        : publish(draft, file.current, upload),
    fieldOf: {
      PACKAGE_VERSION_TAKEN: 'version',
      PACKAGE_MINIMUM_ABOVE: 'minimalVersion',
      PACKAGE_KIND_WRONG: 'file',
      PACKAGE_SOURCE_REQUIRED: 'file',
      PACKAGE_LINK_ONLY: 'link',
      FILE_TOO_LARGE: 'file',
      ROLLOUT_TENANT_UNKNOWN: 'tenantIds',
      'rollout.percent': 'percent',
    },
    newest: async () => {
      const now = edited && (await findRow((query) => api.clientPackages.query({ query }), edited.id));
      if (!now) throw new ApiError(406, 'NOT_FOUND');
      return { draft: draftOf(now), version: now.edition };
    },
    onSaved: () => {
      void refresh();
      toast('success', () => (edited ? admin('saved') : t('form.created')));
      onClose();
    },
  });
}

/** The label and value of a field, for the notice of a conflict. */
function useDescribe(): Describe<PackageDraft> {
  const t = useTexts('clientPackages');
  const names = useTexts('downloads');
  return (field, of) => {
    const words: Record<keyof PackageDraft, [string, string]> = {
      type: [t('form.type'), names(`type.${of.type}`)],
      version: [t('form.version'), of.version],
      source: [t('form.source'), t(of.source === 'file' ? 'form.sourceFile' : 'form.sourceLink')],
      link: [t('form.link'), of.link],
      file: [t('form.file'), of.file?.name ?? ''],
      minimalVersion: [t('form.minimalVersion'), of.minimalVersion],
      rolloutKind: [t('form.rollout'), t(ROLLOUTS[of.rolloutKind])],
      percent: [t('form.percent'), String(of.percent ?? '')],
      tenantIds: [t('form.tenants'), t('rollout.tenants', { count: of.tenantIds.length })],
      notes: [t('form.notes'), of.notes],
    };
    const [label, value] = words[field];
    return { label, value };
  };
}

const ROLLOUTS = { all: 'form.rolloutAll', percent: 'form.rolloutPercent', tenants: 'form.rolloutTenants' } as const;
