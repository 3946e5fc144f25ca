import { LIMITS, MEETING_TYPES, type ApprovalRules } from '@rmeet/contract';
import { useQuery } from '@tanstack/react-query';
import { Select } from 'antd';
import { api } from '../../lib/api/index.ts';
import { useTexts } from '../../lib/i18n/index.ts';
import { toast } from '../../lib/notify.ts';
import { ConflictNotice, type Describe } from '../../ui/admin/ConflictNotice.tsx';
import { NumberField } from '../../ui/admin/NumberField.tsx';
import { SwitchField } from '../../ui/admin/SwitchField.tsx';
import { useForm, type FieldErrors } from '../../ui/admin/useForm.ts';
import { Button } from '../../ui/Button.tsx';
import { FormField } from '../../ui/FormField.tsx';
import { ErrorState, Loading } from '../../ui/states.tsx';

type Rules = Omit<ApprovalRules, 'version'>;

const rulesOf = ({ all, types, vip, longerThan, morePeopleThan }: ApprovalRules): Rules => ({
  all,
  types,
  vip,
  longerThan,
  morePeopleThan,
});

/** Which meetings of the caller's own tenant need approval: a separate form below the other settings. */
export function ApprovalRulesForm() {
  // The rules at the time the page opens: an edit starts from what the user saw.
  const rules = useQuery({
    queryKey: ['approval-rules'],
    queryFn: () => api.approvals.rules(),
    staleTime: Infinity,
    gcTime: 0,
    meta: { quiet: 'unloaded' },
  });
  if (rules.data) return <RulesForm rules={rules.data} />;
  return rules.isPending ? <Loading /> : <ErrorState retry={() => void rules.refetch()} />;
}

function RulesForm({ rules }: { rules: ApprovalRules }) {
  const t = useTexts('tenants');
  const common = useTexts('common');
  const form = useRulesForm(rules);
  const { root, draft, errors, change, conflict, isDirty, isSaving, submit, undo } = form;
  const describe = useDescribe();

  return (
    <form
      ref={root}
      className="admin-form tenant-settings tenant-approval"
      noValidate
      onSubmit={(event) => event.preventDefault()}
      data-testid="approval-rules"
    >
      {conflict && <ConflictNotice conflict={conflict} describe={describe} />}
      <fieldset>
        <legend>{t('approval.title')}</legend>
        <p className="admin-form-hint">{t('approval.hint')}</p>
        <SwitchField
          label={t('approval.all')}
          hint={t('approval.allHint')}
          checked={draft.all}
          testId="rule-all"
          onChange={(all) => change({ all })}
        />
        {!draft.all && <ConditionFields draft={draft} errors={errors} onChange={change} />}
      </fieldset>
      <div className="tenant-settings-buttons">
        <Button disabled={!isDirty} data-testid="rules-undo" onClick={undo}>
          {t('settings.undo')}
        </Button>
        <Button
          kind="primary"
          busy={isSaving}
          data-testid="rules-save"
          onClick={() => {
            if (isDirty) submit();
            else toast('success', () => t('settings.unchanged'));
          }}
        >
          {common('save')}
        </Button>
      </div>
    </form>
  );
}

/** The form of the approval rules. */
function useRulesForm(rules: ApprovalRules) {
  const admin = useTexts('admin');
  const form = useForm<Rules, ApprovalRules>({
    initial: rulesOf(rules),
    version: rules.version,
    keepAs: 'approvalRules',
    keepOnLeaving: true,
    check: ({ longerThan, morePeopleThan }) => {
      const faults: FieldErrors<Rules> = {};
      if (longerThan !== null && (longerThan < 1 || longerThan >= LIMITS.durationMax))
        faults.longerThan = admin('invalid.range', { min: 1, max: LIMITS.durationMax - 1 });
      if (morePeopleThan !== null && (morePeopleThan < 1 || morePeopleThan > LIMITS.participants))
        faults.morePeopleThan = admin('invalid.range', { min: 1, max: LIMITS.participants });
      return faults;
    },
    send: (draft, version) => api.approvals.updateRules({ body: { ...draft, version } }),
    newest: async () => {
      const { version, ...draft } = await api.approvals.rules();
      return { draft, version };
    },
    onSaved: (saved) => {
      toast('success', () => admin('saved'));
      form.reset(rulesOf(saved), saved.version);
    },
  });
  return form;
}

/** The label and value of a field, for the notice of a conflict. */
function useDescribe(): Describe<Rules> {
  const t = useTexts('tenants');
  const admin = useTexts('admin');
  const typeNames = (types: readonly Rules['types'][number][]): string =>
    types.map((type) => t(`approval.type.${type}`)).join(t('approval.comma'));
  return (field, of) => {
    const words: Record<keyof Rules, [string, string]> = {
      all: [t('approval.all'), admin(of.all ? 'yes' : 'no')],
      vip: [t('approval.vip'), admin(of.vip ? 'yes' : 'no')],
      types: [t('approval.types'), typeNames(of.types)],
      longerThan: [t('approval.longerThan'), String(of.longerThan ?? '')],
      morePeopleThan: [t('approval.morePeopleThan'), String(of.morePeopleThan ?? '')],
    };
    const [label, value] = words[field];
    return { label, value };
  };
}

interface ConditionFieldsProps {
  draft: Rules;
  errors: FieldErrors<Rules>;
  onChange: (part: Partial<Rules>) => void;
}

/** Conditions under which a meeting needs approval, if not all do. */
function ConditionFields({ draft, errors, onChange }: ConditionFieldsProps) {
  const t = useTexts('tenants');
  return (
    <>
      <SwitchField
        label={t('approval.vip')}
        hint={t('approval.vipHint')}
        checked={draft.vip}
        testId="rule-vip"
        onChange={(vip) => onChange({ vip })}
      />
      <div className="admin-form-row">
        <NumberField
          label={t('approval.longerThan')}
          value={draft.longerThan}
          error={errors.longerThan}
          hint={t('approval.longerThanHint')}
          unit={t('approval.minutes')}
          placeholder={t('approval.never')}
          testId="rule-longer"
          onChange={(longerThan) => onChange({ longerThan })}
        />
        <NumberField
          label={t('approval.morePeopleThan')}
          value={draft.morePeopleThan}
          error={errors.morePeopleThan}
          hint={t('approval.morePeopleThanHint')}
          placeholder={t('approval.never')}
          testId="rule-people"
          onChange={(morePeopleThan) => onChange({ morePeopleThan })}
        />
      </div>
      <FormField label={t('approval.types')} error={errors.types} hint={t('approval.typesHint')}>
        {(control) => (
          <Select<Rules['types']>
            {...control}
            mode="multiple"
            value={draft.types}
            options={MEETING_TYPES.map((type) => ({ value: type, label: t(`approval.type.${type}`) }))}
            placeholder={t('approval.typesNone')}
            data-testid="rule-types"
            onChange={(types) => onChange({ types })}
          />
        )}
      </FormField>
    </>
  );
}
