import dayjs from 'dayjs';
import { shortText, type ListState } from '../../lib/listState.ts';

/** A day in the form used in the URL: `2026-11-20`; any other value does not filter. */
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

/** The request's filter: whole days in the reader's time zone. */
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
