import {
  PERMISSION_CODES,
  permissionDefinition,
  type Access,
  type AccessRule,
  type FeatureFlags,
  type Locale,
} from '@rmeet/contract';
import type { useTexts } from '../../../lib/i18n/index.ts';

export const SHOWN = ['all', 'allowed', 'denied'] as const;
export type Shown = (typeof SHOWN)[number];

type T = ReturnType<typeof useTexts<'permissions'>>;

/**
 * The rule that grants or denies something, as a sentence. The server returns the names of roles and entries in the
 * reader's language.
 */
export function ruleSentence({ kind, names }: AccessRule, t: T): string {
  return t(`access.rule.${kind}`, { names: names.join(t('access.separator')) });
}

/** The rows that match the filter: allowed or denied, and the keyword in one of their texts. */
export function matching<Row extends { allowed: boolean }>(
  rows: readonly Row[],
  shown: Shown,
  keyword: string,
  textsOf: (row: Row) => string[],
): Row[] {
  const wanted = keyword.trim().toLowerCase();
  return rows.filter(
    (row) =>
      (shown === 'all' || row.allowed === (shown === 'allowed')) &&
      (wanted === '' || textsOf(row).some((text) => text.toLowerCase().includes(wanted))),
  );
}

/** Every feature flag by the name of its permission, in the catalogue's order. */
export function flagList(flags: FeatureFlags, locale: Locale): { flag: string; name: string; on: boolean }[] {
  return PERMISSION_CODES.flatMap((code) => {
    const { flag, [locale]: name } = permissionDefinition(code);
    return flag === undefined ? [] : [{ flag, name, on: flags[flag as keyof FeatureFlags] === 1 }];
  });
}

/** The systems that have menus, in the order in which an account opens them. */
export function systemsOf(menus: Access['menus']): Access['menus'][number]['system'][] {
  return (['user', 'manage', 'admin'] as const).filter(
    (system) => system !== 'admin' || menus.some((menu) => menu.system === system),
  );
}
