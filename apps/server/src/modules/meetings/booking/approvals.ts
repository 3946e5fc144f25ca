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

type Requested = Pick<MeetingRow, 'type' | 'vip' | 'duration'> & { people: number };

/** The tenant's rules that apply to a meeting. */
export function reasonsFor(
  rules: Omit<ApprovalRuleRow, 'tenantId' | 'version'>,
  { type, vip, duration, people }: Requested,
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
 * Whether the approval covers the meeting as it is now: no field that an applicable rule checks has changed.
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
 * Requests approval of a meeting that was booked or changed, if the tenant's rules require it and its host may not
 * approve meetings. An approval remains valid while an edit changes nothing that the rules check; a refused meeting is
 * requested again.
 *
 * @param people all expected people, including the host, called parties and room terminals
 * @returns the meeting with its new approval state
 */
export async function requestApproval(tx: TenantTx, row: MeetingRow, people: number, now: Date): Promise<MeetingRow> {
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
