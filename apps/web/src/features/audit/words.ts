import type { AuditEntry, Locale } from '@rmeet/contract';
import { useLanguage, useTexts } from '../../lib/i18n/index.ts';
import { formatMoment } from '../../lib/time.ts';

type T = ReturnType<typeof useTexts<'audit'>>;
/** For keys sent by the server: a missing text falls back to the name itself. */
type LooseT = (key: string, options: { defaultValue: string }) => string;

/** `t` for a name sent by the server, which may be newer than this page. */
const named = (t: T, group: 'action' | 'field' | 'targetKind', name: string): string =>
  (t as unknown as LooseT)(`${group}.${name}`, { defaultValue: name });

const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}/;

/** A person or thing in a list: its name, else its mail address or telephone number, else the raw value. */
function itemWords(item: unknown): string {
  if (typeof item !== 'object' || item === null) return String(item);
  const { name, email, phone } = item as { name?: unknown; email?: unknown; phone?: unknown };
  return (
    [name, email, phone].find((known): known is string => typeof known === 'string' && known !== '') ??
    JSON.stringify(item)
  );
}

/** A recorded value as readable text. */
export function valueWords(value: unknown, t: T, language: Locale): string {
  if (value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0))
    return t('value.none');
  if (typeof value === 'boolean') return t(value ? 'value.yes' : 'value.no');
  if (typeof value === 'number') return value.toLocaleString(language);
  if (Array.isArray(value)) return value.map(itemWords).join(t('value.separator'));
  if (typeof value === 'string' && TIME.test(value)) return formatMoment(value);
  return itemWords(value);
}

/** Texts for an entry: its action, actor, target and changed fields. */
export function useAuditWords() {
  const t = useTexts('audit');
  const language = useLanguage();
  return {
    action: (action: string) => named(t, 'action', action),
    field: (path: readonly string[]) => path.map((part) => named(t, 'field', part)).join(' · '),
    actor: ({ name, kind }: AuditEntry['actor']) => (name === '' ? t(`actorKind.${kind}`) : name),
    target: ({ name, kind }: AuditEntry['target']) => (name === '' ? named(t, 'targetKind', kind) : name),
    targetKind: (kind: string) => named(t, 'targetKind', kind),
    time: formatMoment,
    value: (value: unknown) => valueWords(value, t, language),
  };
}
