import { eq } from 'drizzle-orm';
import type { ApprovalReason } from '@rmeet/contract';
import type { TenantTx } from '../../../platform/db/index.ts';
import { permissionCodesOf } from '../../accounts/permissions/index.ts';
import { findTenant } from '../../accounts/tenants/index.ts';
import { findAccount } from '../../accounts/users/index.ts';
import {
  approvalRequest,
  approvalRule,
  type ApprovalRequestRow,
  type ApprovalRuleRow,
} from '../../approvals/tables.ts';
import { meeting, type MeetingRow } from '../tables.ts';

type Asked = Pick<MeetingRow, 'type' | 'vip' | 'duration'> & { people: number };

/** Which of a tenant's rules a meeting falls under. */
export function reasonsFor(
  rules: Omit<ApprovalRuleRow, 'tenantId' | 'version'>,
  { type, vip, duration, people }: Asked,
): ApprovalReason[] {
  const reasons: [ApprovalReason, boolean][] = [
    ['all', rules.all],
    ['type', rules.types.includes(type)],
    ['vip', rules.vip && vip],
    ['duration', rules.longerThan !== null && duration > rules.longerThan],
    ['people', rules.morePeopleThan !== null && people > rules.morePeopleThan],
  ];
  return reasons.flatMap(([reason, applies]) => (applies ? [reason] : []));
}

/**
 * Whether what was approved covers the meeting as it is now: every rule it falls under looks at what has not changed.
 */
function covers(
  request: ApprovalRequestRow,
  reasons: readonly ApprovalReason[],
  row: MeetingRow,
  people: number,
): boolean {
  const same = {
    type: true,
    vip: request.vip === row.vip,
    duration: request.duration === row.duration,
    people: request.people === people,
    all:
      request.vip === row.vip &&
      request.duration === row.duration &&
      request.people === people &&
      request.startTime.getTime() === row.startTime.getTime(),
  };
  return reasons.every((reason) => request.reasons.includes(reason) && same[reason]);
}

async function mayApprove(tx: TenantTx, accountId: string): Promise<boolean> {
  const [account, tenant] = [await findAccount(tx, accountId), await findTenant(tx, tx.tenantId)];
  return (
    account !== undefined &&
    tenant !== undefined &&
    (await permissionCodesOf(tx, account, tenant)).includes('sys:approve')
  );
}

/** Why a meeting needs approval; never if its host may approve meetings. */
async function reasonsToAsk(
  tx: TenantTx,
  rules: ApprovalRuleRow | undefined,
  row: MeetingRow,
  people: number,
): Promise<ApprovalReason[]> {
  const found = rules ? reasonsFor(rules, { ...row, people }) : [];
  return found.length > 0 && (await mayApprove(tx, row.hostId)) ? [] : found;
}

async function storeRequest(
  tx: TenantTx,
  { id: meetingId, startTime, duration, vip }: MeetingRow,
  { reasons, people, askedAt }: Pick<ApprovalRequestRow, 'reasons' | 'people' | 'askedAt'>,
): Promise<void> {
  const values = { reasons, startTime, duration, people, vip, decidedAt: null, decidedBy: null, note: '', askedAt };
  await tx.insert(approvalRequest, { meetingId, ...values }, { target: approvalRequest.meetingId, set: values });
}

/**
 * Asks for approval of a meeting that was booked or changed, where the tenant's rules want it and its host may not
 * approve meetings. What was approved stays so while an edit changes nothing the rules look at; a refused one is asked
 * for again.
 *
 * @param people everybody expected, the host, people called and room terminals too
 * @returns the meeting as it stands then
 */
export async function askApproval(tx: TenantTx, row: MeetingRow, people: number, now: Date): Promise<MeetingRow> {
  const rules = await tx.findOne(approvalRule);
  if (!rules && row.approval === 'none') return row;
  const reasons = await reasonsToAsk(tx, rules, row, people);
  const request =
    row.approval === 'none' ? undefined : await tx.findOne(approvalRequest, eq(approvalRequest.meetingId, row.id));
  if (row.approval === 'approved' && request && covers(request, reasons, row, people)) return row;
  if (reasons.length === 0) await tx.delete(approvalRequest, eq(approvalRequest.meetingId, row.id));
  else
    await storeRequest(tx, row, {
      reasons,
      people,
      askedAt: row.approval === 'waiting' && request ? request.askedAt : now,
    });
  const approval = reasons.length === 0 ? 'none' : 'waiting';
  if (approval === row.approval) return row;
  const [changed] = await tx.update(meeting, { approval }, eq(meeting.id, row.id));
  return changed ?? row;
}
