import { ENTRY_TYPES, localName, type ManagedEntry } from '@rmeet/contract';
import { useLanguage, useTexts } from '../../lib/i18n/index.ts';
import { LAYOUT, MENU_PAGES } from '../../lib/menuComponents.ts';
import type { EntryDraft } from './draft.ts';

/** Field labels and values of an entry as readable text. */
export function useWords(entries: readonly ManagedEntry[]) {
  const t = useTexts('menus');
  const language = useLanguage();
  const component = (name: string): string => {
    const known = [LAYOUT, ...MENU_PAGES].find((one) => one === name) as
      | typeof LAYOUT
      | (typeof MENU_PAGES)[number]
      | undefined;
    if (name === '') return t('component.none');
    return known === undefined ? t('component.unknown', { name }) : t(`component.${known}`);
  };
  const parent = (pid: string | null): string => {
    const found = entries.find(({ id }) => id === pid);
    return found ? localName(found, language) : t('form.top');
  };
  const code = ({ type, code: value }: EntryDraft): string =>
    type === ENTRY_TYPES.permission || value !== '' ? value : t('form.codeNone');

  // oxlint-disable-next-line complexity -- a switch over the fields
  return (field: keyof EntryDraft, draft: EntryDraft): { label: string; value: string } => {
    const label = field === 'code' && draft.type !== ENTRY_TYPES.permission ? t('field.codeSeen') : t(`field.${field}`);
    switch (field) {
      case 'type':
        return { label, value: t(`type.${draft.type}`) };
      case 'isAdmin':
        return { label, value: t(`system.${draft.isAdmin}`) };
      case 'userManageType':
        return { label, value: t(`group.${draft.userManageType}`) };
      case 'hidden':
        return { label, value: t(draft.hidden ? 'yes' : 'no') };
      case 'component':
        return { label, value: component(draft.component) };
      case 'pid':
        return { label, value: parent(draft.pid) };
      case 'code':
        return { label, value: code(draft) };
      case 'name':
      case 'nameEn':
      case 'url':
      case 'redirect':
      case 'icon':
      case 'componentName':
        return { label, value: draft[field] };
    }
  };
}
