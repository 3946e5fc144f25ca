import { ASSISTANT_ANSWERS, type AssistantSettings } from '@rmeet/contract';
import { useQuery } from '@tanstack/react-query';
import { Input, Select } from 'antd';
import { api } from '../../../lib/api/index.ts';
import { useTexts } from '../../../lib/i18n/index.ts';
import { toast } from '../../../lib/notify.ts';
import { AdminPage } from '../../../ui/admin/AdminPage.tsx';
import { ConflictNotice, type Describe } from '../../../ui/admin/ConflictNotice.tsx';
import { textInput, useForm, type Form } from '../../../ui/admin/useForm.ts';
import { Button } from '../../../ui/Button.tsx';
import { FormField } from '../../../ui/FormField.tsx';
import { ErrorState, Loading } from '../../../ui/states.tsx';
import { bodyOf, draftOf, faultsIn, type Draft } from './draft.ts';
import { ModelTest } from './ModelTest.tsx';
import './texts.ts';
import './assistantSettings.css';

/** How the assistant of the organisation answers. */
export function AssistantSettingsPage() {
  const t = useTexts('assistantSettings');
  // The settings at the time the page opens: an edit starts from what the user saw.
  const settings = useQuery({
    queryKey: ['assistant', 'settings'],
    queryFn: () => api.assistant.settings(),
    staleTime: Infinity,
    gcTime: 0,
    meta: { quiet: 'unloaded' },
  });
  const content = () => {
    if (settings.data) return <SettingsForm settings={settings.data} refresh={() => void settings.refetch()} />;
    return settings.isPending ? <Loading /> : <ErrorState retry={() => void settings.refetch()} />;
  };
  return <AdminPage title={t('title')}>{content()}</AdminPage>;
}

interface SettingsProps {
  settings: AssistantSettings;
  refresh: () => void;
}

function SettingsForm({ settings, refresh }: SettingsProps) {
  const t = useTexts('assistantSettings');
  const common = useTexts('common');
  const form = useSettingsForm(settings, refresh);
  const { root, draft, conflict, isDirty, isSaving, submit, undo } = form;
  const describe = useDescribe();
  return (
    <form
      ref={root}
      className="admin-form assistant-settings"
      noValidate
      onSubmit={(event) => event.preventDefault()}
      data-testid="assistant-settings"
    >
      {conflict && <ConflictNotice conflict={conflict} describe={describe} />}
      <p className="admin-form-hint">{t('lead')}</p>
      <AnswersSection form={form} />
      {draft.answers === 'model' && <ModelSection form={form} settings={settings} />}
      {draft.answers === 'page' && <PageSection form={form} settings={settings} />}
      <DeskSection form={form} settings={settings} />
      <div className="assistant-settings-buttons">
        <Button disabled={!isDirty} data-testid="assistant-undo" onClick={undo}>
          {t('undo')}
        </Button>
        <Button
          kind="primary"
          busy={isSaving}
          data-testid="assistant-save"
          onClick={() => {
            if (isDirty) submit();
            else toast('success', () => t('unchanged'));
          }}
        >
          {common('save')}
        </Button>
      </div>
      {settings.answers === 'model' && <ModelTest isDirty={isDirty} />}
    </form>
  );
}

function useSettingsForm(settings: AssistantSettings, refresh: () => void): Form<Draft> {
  const t = useTexts('assistantSettings');
  const admin = useTexts('admin');
  const form = useForm<Draft, AssistantSettings>({
    initial: draftOf(settings),
    version: settings.version,
    keepAs: 'assistantSettings',
    keepOnLeaving: true,
    unkept: ['modelKey', 'pageSecret'],
    check: (draft) =>
      Object.fromEntries(
        Object.entries(faultsIn(draft, settings.hasPageSecret)).map(([field, fault]) => [field, t(`invalid.${fault}`)]),
      ),
    send: (draft, version) => api.assistant.saveSettings({ body: bodyOf(draft, version) }),
    newest: async () => {
      const now = await api.assistant.settings();
      return { draft: draftOf(now), version: now.version };
    },
    fieldOf: { ASSISTANT_MODEL_MISSING: 'modelUrl', ASSISTANT_PAGE_MISSING: 'pageSecret' },
    onSaved: (saved) => {
      toast('success', () => admin('saved'));
      form.reset(draftOf(saved), saved.version);
      refresh();
    },
  });
  return form;
}

/** Labels and values of fields, for the notice of a conflict. */
function useDescribe(): Describe<Draft> {
  const t = useTexts('assistantSettings');
  return (field, of) => {
    const words: Record<keyof Draft, [string, string]> = {
      answers: [t('answers.source'), t(`answers.${of.answers}`)],
      deskMail: [t('desk.mail'), of.deskMail],
      modelUrl: [t('model.url'), of.modelUrl],
      modelName: [t('model.name'), of.modelName],
      modelKey: [t('model.key'), ''],
      pageUrl: [t('page.url'), of.pageUrl],
      pageSecret: [t('page.secret'), ''],
    };
    const [label, value] = words[field];
    return { label, value };
  };
}

function AnswersSection({ form: { draft, change } }: { form: Form<Draft> }) {
  const t = useTexts('assistantSettings');
  return (
    <fieldset>
      <legend>{t('answers.title')}</legend>
      <FormField label={t('answers.source')} hint={t(`answers.hint.${draft.answers}`)}>
        {(control) => (
          <Select
            {...control}
            value={draft.answers}
            options={ASSISTANT_ANSWERS.map((value) => ({ value, label: t(`answers.${value}`) }))}
            data-testid="assistant-answers"
            onChange={(answers) => change({ answers })}
          />
        )}
      </FormField>
    </fieldset>
  );
}

interface SectionProps {
  form: Form<Draft>;
  settings: AssistantSettings;
}

const ADDRESS_LENGTH = 1_000;
const SECRET_LENGTH = 500;
const NAME_LENGTH = 100;
const MAIL_LENGTH = 254;

function ModelSection({ form, settings }: SectionProps) {
  const t = useTexts('assistantSettings');
  const { errors } = form;
  return (
    <fieldset>
      <legend>{t('model.title')}</legend>
      <FormField label={t('model.url')} hint={t('model.urlHint')} error={errors.modelUrl} required>
        {(control) => <Input {...control} {...textInput(form, 'modelUrl', ADDRESS_LENGTH, 'assistant-model-url')} />}
      </FormField>
      <FormField label={t('model.name')} error={errors.modelName} required>
        {(control) => <Input {...control} {...textInput(form, 'modelName', NAME_LENGTH, 'assistant-model-name')} />}
      </FormField>
      <FormField
        label={t('model.key')}
        hint={t(settings.hasModelKey ? 'model.keyStored' : 'model.keyHint')}
        error={errors.modelKey}
      >
        {(control) => (
          <Input.Password {...control} {...textInput(form, 'modelKey', SECRET_LENGTH, 'assistant-model-key')} />
        )}
      </FormField>
    </fieldset>
  );
}

function PageSection({ form, settings }: SectionProps) {
  const t = useTexts('assistantSettings');
  const { errors } = form;
  return (
    <fieldset>
      <legend>{t('page.title')}</legend>
      <FormField label={t('page.url')} hint={t('page.urlHint')} error={errors.pageUrl} required>
        {(control) => <Input {...control} {...textInput(form, 'pageUrl', ADDRESS_LENGTH, 'assistant-page-url')} />}
      </FormField>
      <FormField
        label={t('page.secret')}
        hint={t(settings.hasPageSecret ? 'page.secretStored' : 'page.secretHint')}
        error={errors.pageSecret}
        required={!settings.hasPageSecret}
      >
        {(control) => (
          <Input.Password {...control} {...textInput(form, 'pageSecret', SECRET_LENGTH, 'assistant-page-secret')} />
        )}
      </FormField>
    </fieldset>
  );
}

function DeskSection({ form, settings }: SectionProps) {
  const t = useTexts('assistantSettings');
  return (
    <fieldset>
      <legend>{t('desk.title')}</legend>
      <FormField
        label={t('desk.mail')}
        hint={t(settings.hasMail ? 'desk.hint' : 'desk.noMail')}
        error={form.errors.deskMail}
      >
        {(control) => <Input {...control} {...textInput(form, 'deskMail', MAIL_LENGTH, 'assistant-desk-mail')} />}
      </FormField>
    </fieldset>
  );
}
