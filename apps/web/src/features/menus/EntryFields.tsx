import { ENTRY_TYPES, localName, USER_MANAGE_TYPES, type ManagedEntry } from '@rmeet/contract';
import { Input, Select, TreeSelect } from 'antd';
import { useMemo } from 'react';
import { useLanguage, useTexts } from '../../lib/i18n/index.ts';
import { LAYOUT, MENU_PAGES } from '../../lib/menuComponents.ts';
import { treeOf, type TreeNode } from '../../lib/tree.ts';
import { SwitchField } from '../../ui/admin/SwitchField.tsx';
import type { FieldErrors } from '../../ui/admin/useForm.ts';
import { FormField } from '../../ui/FormField.tsx';
import { isExternal, type EntryDraft } from './draft.ts';
import { IconPicker } from './IconPicker.tsx';
import { fitsUnder } from './moves.ts';
import { permissionsAmong } from './queries.ts';
import { useWords } from './words.ts';

interface EntryFieldsProps {
  /** Null for a new one. */
  entry: ManagedEntry | null;
  entries: readonly ManagedEntry[];
  draft: EntryDraft;
  errors: FieldErrors<EntryDraft>;
  onChange: (part: Partial<EntryDraft>) => void;
}

const TYPES = Object.values(ENTRY_TYPES);
const GROUPS = Object.values(USER_MANAGE_TYPES);
const TOP = 'top';

export function EntryFields({ entry, entries, draft, errors, onChange }: EntryFieldsProps) {
  const t = useTexts('menus');
  const isPermission = draft.type === ENTRY_TYPES.permission;
  const text = (field: 'name' | 'nameEn' | 'code', max: number) => ({
    value: draft[field],
    maxLength: max,
    autoComplete: 'off',
    'data-testid': `entry-${field}`,
    onChange: ({ target }: { target: { value: string } }) => onChange({ [field]: target.value }),
  });
  return (
    <>
      {entry === null && (
        <FormField label={t('field.type')} hint={t(`hint.type${draft.type}`)}>
          {(control) => (
            <Select
              {...control}
              value={draft.type}
              options={TYPES.map((type) => ({ value: type, label: t(`type.${type}`) }))}
              data-testid="entry-type"
              onChange={(type: EntryDraft['type']) => onChange({ type })}
            />
          )}
        </FormField>
      )}
      <div className="admin-form-row">
        <FormField label={t('field.name')} required error={errors.name}>
          {(control) => <Input {...control} {...text('name', 60)} autoFocus />}
        </FormField>
        <FormField label={t('field.nameEn')} error={errors.nameEn} hint={t('hint.nameEn')}>
          {(control) => <Input {...control} {...text('nameEn', 60)} />}
        </FormField>
      </div>
      <SystemAndParent entry={entry} entries={entries} draft={draft} errors={errors} onChange={onChange} />
      {isPermission ? (
        <FormField
          label={t('field.code')}
          required
          error={errors.code}
          hint={t(entry?.builtIn === true ? 'hint.codeBuiltIn' : 'hint.code')}
        >
          {(control) => (
            <Input {...control} {...text('code', 60)} disabled={entry?.builtIn === true} spellCheck={false} />
          )}
        </FormField>
      ) : (
        <MenuFields
          isFixed={entry?.builtIn === true}
          entries={entries}
          draft={draft}
          errors={errors}
          onChange={onChange}
        />
      )}
    </>
  );
}

interface ParentOption {
  value: string;
  title: string;
  children: ParentOption[];
}

interface MenuFieldsProps extends Omit<EntryFieldsProps, 'entry'> {
  /** Built in: its page depends on its URL, its component and its code. */
  isFixed: boolean;
}

function SystemAndParent({ entry, entries, draft, errors, onChange }: EntryFieldsProps) {
  const t = useTexts('menus');
  const language = useLanguage();
  const parents = useMemo(() => {
    // A new entry has no children.
    const placed = { id: entry?.id ?? '', pid: draft.pid, type: draft.type, isAdmin: draft.isAdmin };
    const option = ({ entry: one, children }: TreeNode<ManagedEntry>): ParentOption => ({
      value: one.id,
      title: localName(one, language),
      children: children.map(option),
    });
    const fitting = treeOf(entries.filter(({ id }) => fitsUnder(entries, placed, id))).map(option);
    return fitsUnder(entries, placed, null)
      ? [{ value: TOP, title: t('form.top'), children: [] }, ...fitting]
      : fitting;
  }, [entries, entry, draft.pid, draft.type, draft.isAdmin, language, t]);
  return (
    <div className="admin-form-row">
      <FormField label={t('field.isAdmin')} error={errors.isAdmin}>
        {(control) => (
          <Select
            {...control}
            value={draft.isAdmin}
            disabled={entry?.builtIn === true}
            options={([0, 1] as const).map((value) => ({ value, label: t(`system.${value}`) }))}
            data-testid="entry-isAdmin"
            // A parent from the other system no longer fits.
            onChange={(isAdmin: 0 | 1) => onChange({ isAdmin, pid: null })}
          />
        )}
      </FormField>
      <FormField label={t('field.pid')} error={errors.pid}>
        {(control) => (
          <TreeSelect
            {...control}
            value={draft.pid ?? (draft.type === ENTRY_TYPES.page ? undefined : TOP)}
            placeholder={t('form.chooseParent')}
            treeData={parents}
            treeDefaultExpandAll
            showSearch={{ treeNodeFilterProp: 'title' }}
            data-testid="entry-pid"
            onChange={(pid: string | undefined) => onChange({ pid: pid === undefined || pid === TOP ? null : pid })}
          />
        )}
      </FormField>
    </div>
  );
}

/** The fields of menus and pages. */
// oxlint-disable-next-line max-lines-per-function -- plain JSX
function MenuFields({ isFixed, entries, draft, errors, onChange }: MenuFieldsProps) {
  const t = useTexts('menus');
  const language = useLanguage();
  const words = useWords(entries);
  const text = (field: 'url' | 'redirect' | 'componentName', max: number) => ({
    value: draft[field],
    maxLength: max,
    autoComplete: 'off',
    spellCheck: false,
    disabled: isFixed,
    'data-testid': `entry-${field}`,
    onChange: ({ target }: { target: { value: string } }) => onChange({ [field]: target.value }),
  });
  const components = [...new Set(['', LAYOUT, ...MENU_PAGES, draft.component])];
  return (
    <>
      {isFixed && <p className="admin-form-hint">{t('hint.fixed')}</p>}
      <FormField
        label={t('field.url')}
        error={errors.url}
        hint={t(isExternal(draft.url.trim()) ? 'hint.external' : 'hint.url')}
      >
        {(control) => <Input {...control} {...text('url', 500)} />}
      </FormField>
      <div className="admin-form-row">
        <FormField label={t('field.component')} error={errors.component}>
          {(control) => (
            <Select
              {...control}
              value={draft.component}
              disabled={isFixed}
              showSearch={{ optionFilterProp: 'label' }}
              options={components.map((component) => ({
                value: component,
                label: words('component', { ...draft, component }).value,
              }))}
              data-testid="entry-component"
              onChange={(component: string) => onChange({ component })}
            />
          )}
        </FormField>
        <FormField label={t('field.componentName')} error={errors.componentName} hint={t('hint.componentName')}>
          {(control) => <Input {...control} {...text('componentName', 60)} />}
        </FormField>
      </div>
      <FormField label={t('field.redirect')} error={errors.redirect} hint={t('hint.redirect')}>
        {(control) => <Input {...control} {...text('redirect', 200)} />}
      </FormField>
      <div className="admin-form-row">
        <FormField label={t('field.userManageType')} error={errors.userManageType}>
          {(control) => (
            <Select
              {...control}
              value={draft.userManageType}
              options={GROUPS.map((value) => ({ value, label: t(`group.${value}`) }))}
              data-testid="entry-userManageType"
              onChange={(userManageType: EntryDraft['userManageType']) => onChange({ userManageType })}
            />
          )}
        </FormField>
        <FormField label={t('field.codeSeen')} error={errors.code} hint={t('hint.codeSeen')}>
          {(control) => (
            <Select
              {...control}
              value={draft.code}
              disabled={isFixed}
              showSearch={{ optionFilterProp: 'label' }}
              options={[
                { value: '', label: t('form.codeNone') },
                ...permissionsAmong(entries).map((one) => ({
                  value: one.code,
                  label: `${localName(one, language)} · ${one.code}`,
                })),
              ]}
              data-testid="entry-codeSeen"
              onChange={(code: string) => onChange({ code })}
            />
          )}
        </FormField>
      </div>
      <IconPicker value={draft.icon} onChange={(icon) => onChange({ icon })} />
      <SwitchField
        label={t('field.hidden')}
        hint={t('hint.hidden')}
        checked={draft.hidden}
        testId="entry-hidden"
        onChange={(hidden) => onChange({ hidden })}
      />
    </>
  );
}
