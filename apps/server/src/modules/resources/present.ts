import type { MeetingResource } from '@rmeet/contract';
import type { Usage } from './repo.ts';
import type { MeetingResourceRow, ResourceAssignmentRow } from './tables.ts';

/** A resource by the contract; `names` are those of accounts. */
export function presentResource(
  row: MeetingResourceRow,
  assignments: readonly ResourceAssignmentRow[],
  names: ReadonlyMap<string, string>,
  usage: Usage | undefined,
): MeetingResource {
  const { id, name, zone, ports, hours, timeZone, enabled, everybody, version } = row;
  return {
    id,
    name,
    zone,
    ports,
    hours,
    timeZone,
    enabled,
    assignedTo: {
      everybody,
      accounts: assignments.flatMap(({ accountId }) =>
        accountId === null ? [] : [{ userId: accountId, name: names.get(accountId) ?? '' }],
      ),
      departments: assignments.flatMap(({ department }) => department ?? []),
    },
    portsUsed: usage?.portsUsed ?? 0,
    minutesUsed: usage?.minutesUsed ?? 0,
    version,
  };
}
