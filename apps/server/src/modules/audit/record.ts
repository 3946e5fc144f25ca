import { eq } from 'drizzle-orm';
import { newId, type TenantTx } from '../../platform/db/index.ts';
import type { Caller, Context } from '../../platform/http/index.ts';
import { tenant } from '../accounts/tenants/tables.ts';
import { auditLog, type AuditRow } from './tables.ts';

interface Change {
  /**
   * What was changed: `account`, `tenant`, `role`, `permission`, `meeting`, `conference`, `building`, `room`,
   * `resource`, `terminal`, `noticeText`, `session`, `guestToken`, `deskLink`, `recording`, `broadcast`, `directory`,
   * `scimToken`, `scimGroup`, `apiClient`, `apiGrant`, `webhook`, `announcement`, `startApp`, `clientPackage`.
   */
  target: { kind: string; id: string; name: string };
  /** The changed fields before and after; see `changed()`. Never a password, token or its hash. */
  before?: Record<string, unknown> | null;
  after?: Record<string, unknown> | null;
}

/** The author of an action, and the identification of the request. */
type Origin = Pick<Context, 'caller' | 'action' | 'address' | 'requestId'>;

/**
 * Fields whose values never reach the log, even if a caller forgets to remove them: `password`, `tokenHash`, not
 * `passwordHistory`.
 */
const SECRET = /(password|token|hash|secret|sealed|ticket)$/i;

function actorOf(caller: Caller): Pick<AuditRow, 'actorKind' | 'actorId' | 'actorName'> {
  switch (caller.kind) {
    case 'user':
    case 'operator':
      return { actorKind: caller.kind, actorId: caller.userId, actorName: caller.name };
    case 'terminal':
      return { actorKind: 'terminal', actorId: caller.termId, actorName: caller.name };
    case 'desk':
      return { actorKind: 'desk', actorId: caller.linkId, actorName: caller.name };
    case 'anyone':
      return { actorKind: 'system', actorId: '', actorName: '' };
  }
}

function clientOf(caller: Caller): Pick<AuditRow, 'clientId' | 'clientName'> {
  const client = caller.kind === 'user' ? caller.client : undefined;
  return { clientId: client?.id ?? '', clientName: client?.name ?? '' };
}

/**
 * Actions without a route: the job that clears old rows; `npm run setup`, which replaces a lost password, stores the
 * address, and suspends the second factor of an account; what directories say of people; webhooks that
 * are stopped after they failed for a day.
 */
export const SYSTEM_ACTIONS = [
  'audit.clear',
  'setup.resetOperator',
  'setup.address',
  'directories.signIn',
  'scim.push',
  'setup.suspendFactor',
  'webhooks.end',
] as const;

/**
 * The author of an action by a job or a command-line program; `action` is `domain.name` of the route that does the
 * same, if there is one.
 */
export function systemOrigin(
  action:
    | (typeof SYSTEM_ACTIONS)[number]
    | 'setup.complete'
    | 'conferences.end'
    | 'conferences.setConfRecord'
    | 'recordings.remove'
    | 'rooms.release'
    | 'users.purge'
    | 'directories.start',
): Origin {
  return { caller: { kind: 'anyone' }, action, address: '', requestId: '' };
}

function withoutSecrets(fields: Record<string, unknown> | null): Record<string, unknown> | null {
  return (
    fields &&
    Object.fromEntries(
      Object.entries(fields).map(([name, value]) => [name, SECRET.test(name) && value !== null ? '***' : value]),
    )
  );
}

/**
 * Adds a row to the audit log of the transaction's tenant, for the request. It commits and rolls back with the change.
 */
export async function recordAudit(
  tx: TenantTx,
  { caller, action, address, requestId }: Origin,
  at: Date,
  change: Change,
): Promise<void> {
  const { target, before = null, after = null } = change;
  const of = await tx.findOne(tenant, eq(tenant.tenantId, tx.tenantId));
  await tx.insert(auditLog, {
    id: newId(),
    tenantName: of?.name ?? '',
    at,
    ...actorOf(caller),
    ...clientOf(caller),
    address,
    action,
    requestId,
    targetKind: target.kind,
    targetId: target.id,
    targetName: target.name,
    before: withoutSecrets(before),
    after: withoutSecrets(after),
  });
}

/** The named fields that differ, as `before` and `after` of an audit row. */
export function changed<T extends object>(
  before: T,
  after: T,
  fields: readonly (keyof T & string)[],
): { before: Record<string, unknown>; after: Record<string, unknown> } {
  const differing = fields.filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]));
  const pick = (row: T) => Object.fromEntries(differing.map((field) => [field, row[field]]));
  return { before: pick(before), after: pick(after) };
}
