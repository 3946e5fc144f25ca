import { STATISTICS_LIMITS, type StatisticsSettings } from '@rmeet/contract';
import { useMutation } from '@tanstack/react-query';
import { Select } from 'antd';
import { api } from '../../lib/api/index.ts';
import { system } from '../../lib/browser.ts';
import { useLanguage, useTexts } from '../../lib/i18n/index.ts';
import { toast } from '../../lib/notify.ts';
import { zoneOptions } from '../../lib/rooms/zones.ts';
import { FormDrawer } from '../../ui/admin/FormDrawer.tsx';
import { useForm, type FieldErrors, type Form } from '../../ui/admin/useForm.ts';
import { Button } from '../../ui/Button.tsx';
import { FormField } from '../../ui/FormField.tsx';
import { SideDrawer } from '../../ui/SideDrawer.tsx';
import { ErrorState, Loading } from '../../ui/states.tsx';
import { useRefreshStatistics, useSettings } from './queries.ts';
import { periodOf, type StatisticsState } from './state.ts';

interface SettingsDrawerProps {
  /** The tenant that operators look at; empty: all. */
  tenantId: string;
  open: boolean;
  onClose: () => void;
}

/** Time zone, recipients of the monthly report, and counting again. */
export function SettingsDrawer(props: SettingsDrawerProps) {
  const t = useTexts('statistics');
  const settings = useSettings();
  if (settings.data) return <SettingsForm {...props} settings={settings.data} />;
  return (
    <SideDrawer title={t('settings.title')} open={props.open} onClose={props.onClose} testId="statistics-drawer">
      {settings.isError ? <ErrorState retry={() => void settings.refetch()} /> : <Loading />}
    </SideDrawer>
  );
}

type Draft = Pick<StatisticsSettings, 'timeZone' | 'recipients' | 'locale'>;
const LOCALES = ['zh', 'en'] as const;
const ADDRESS = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

const draftOf = ({ timeZone, recipients, locale }: StatisticsSettings): Draft => ({ timeZone, recipients, locale });

interface SettingsFormProps extends SettingsDrawerProps {
  settings: StatisticsSettings;
}

function useSettingsForm({ settings, onClose }: SettingsFormProps): Form<Draft> {
  const t = useTexts('statistics');
  const refresh = useRefreshStatistics();
  return useForm<Draft, StatisticsSettings>({
    initial: draftOf(settings),
    version: settings.version,
    check: ({ recipients }): FieldErrors<Draft> => {
      const wrong = recipients.find((address) => !ADDRESS.test(address));
      if (wrong !== undefined) return { recipients: t('settings.addressWrong', { address: wrong }) };
      return recipients.length > STATISTICS_LIMITS.recipients
        ? { recipients: t('settings.tooMany', { count: STATISTICS_LIMITS.recipients }) }
        : {};
    },
    send: (draft, version) => api.statistics.saveSettings({ body: { ...draft, version } }),
    newest: async () => {
      const now = await api.statistics.settings();
      return { draft: draftOf(now), version: now.version };
    },
    onSaved: () => {
      toast('success', () => t('settings.saved'));
      onClose();
      void refresh();
    },
  });
}

function SettingsForm(props: SettingsFormProps) {
  const t = useTexts('statistics');
  const { settings, open, onClose, tenantId } = props;
  const form = useSettingsForm(props);
  return (
    <FormDrawer
      title={t('settings.title')}
      open={open}
      onClose={onClose}
      form={form}
      describe={(field, value) => ({
        label: t(`settings.${field}`),
        value: field === 'recipients' ? value.recipients.join(', ') : value[field],
      })}
      testId="statistics-drawer"
    >
      {system === 'admin' && <p className="statistics-note">{t('settings.ofPlatform')}</p>}
      <ZoneField {...form} />
      <RecipientFields form={form} canMail={settings.canMail} />
      <Recount tenantId={tenantId} />
    </FormDrawer>
  );
}

function ZoneField({ draft, errors, change }: Form<Draft>) {
  const t = useTexts('statistics');
  const language = useLanguage();
  return (
    <FormField label={t('settings.timeZone')} required error={errors.timeZone} hint={t('settings.timeZoneHint')}>
      {(control) => (
        <Select<string>
          {...control}
          value={draft.timeZone}
          options={[...zoneOptions(language)]}
          showSearch={{ optionFilterProp: 'found' }}
          data-testid="statistics-zone"
          onChange={(timeZone) => change({ timeZone })}
        />
      )}
    </FormField>
  );
}

/** Who receives the monthly report, and in which language. */
function RecipientFields({ form, canMail }: { form: Form<Draft>; canMail: boolean }) {
  const t = useTexts('statistics');
  const { draft, errors, change } = form;
  return (
    <>
      <FormField
        label={t('settings.recipients')}
        error={errors.recipients}
        hint={t(canMail ? 'settings.recipientsHint' : 'settings.noMail')}
      >
        {(control) => (
          <Select<string[]>
            {...control}
            mode="tags"
            open={false}
            suffixIcon={null}
            tokenSeparators={[',', ';', ' ', '，', '；']}
            value={draft.recipients}
            data-testid="statistics-recipients"
            onChange={(recipients) => change({ recipients: recipients.map((one) => one.trim()) })}
          />
        )}
      </FormField>
      <FormField label={t('settings.locale')} error={errors.locale}>
        {(control) => (
          <Select<Draft['locale']>
            {...control}
            value={draft.locale}
            options={LOCALES.map((locale) => ({ value: locale, label: t(`settings.locales.${locale}`) }))}
            data-testid="statistics-locale"
            onChange={(locale) => change({ locale })}
          />
        )}
      </FormField>
    </>
  );
}

/** Counts the last year again from its details. */
function Recount({ tenantId }: Pick<SettingsDrawerProps, 'tenantId'>) {
  const t = useTexts('statistics');
  const refresh = useRefreshStatistics();
  const { to } = periodOf({ from: '', to: '' } satisfies Pick<StatisticsState, 'from' | 'to'>);
  const from = new Date(Date.parse(to) - (STATISTICS_LIMITS.recountDays - 1) * 86_400_000).toISOString().slice(0, 10);
  const recount = useMutation({
    mutationFn: () => api.statistics.recount({ body: { ...(tenantId === '' ? {} : { tenantId }), from, to } }),
    onSuccess: ({ counted, kept }) => {
      toast('success', () => t('recount.done', { counted, kept }));
      void refresh();
    },
  });
  return (
    <section className="statistics-recount" aria-labelledby="statistics-recount">
      <h3 id="statistics-recount">{t('recount.title')}</h3>
      <p>{t('recount.text')}</p>
      <Button busy={recount.isPending} data-testid="statistics-recount" onClick={() => recount.mutate()}>
        {t('recount.run')}
      </Button>
    </section>
  );
}
