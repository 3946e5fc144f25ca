import dayjs from 'dayjs';
import { shortText, type ListState } from '../../lib/listState.ts';

/** A day as the address has it: `2026-11-20`; anything else does not filter. */
const day = (raw: string): string => (/^\d{4}-\d{2}-\d{2}$/.test(raw) && dayjs(raw).isValid() ? raw : '');

export const SHAPE = {
  filters: {
    tenant: shortText(60),
    action: shortText(100),
    actor: shortText(60),
    target: shortText(60),
    from: day,
    to: day,
  },
  sorts: ['at'],
  order: () => 'DESC' as const,
} as const;
export type AuditState = ListState<typeof SHAPE>;

/** What is asked for: whole days of the reader's own time zone. */
export function filterOf({ tenant, action, actor, target, from, to, keyword, order }: AuditState) {
  return {
    order,
    ...(tenant === '' ? {} : { tenantId: tenant }),
    ...(action === '' ? {} : { action }),
    ...(actor === '' ? {} : { actorId: actor }),
    ...(target === '' ? {} : { targetId: target }),
    ...(from === '' ? {} : { from: dayjs(from).startOf('day').toISOString() }),
    ...(to === '' ? {} : { to: dayjs(to).endOf('day').toISOString() }),
    ...(keyword === '' ? {} : { keyword }),
  };
}
