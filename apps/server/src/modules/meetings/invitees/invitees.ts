import type { BusyPerson, contract, Data, DepartmentNode, Input } from '@rmeet/contract';
import type { Db } from '../../../platform/db/index.ts';
import type { Context, UserCaller } from '../../../platform/http/index.ts';
import { countByDepartment, findAccounts, peopleOfDepartment, searchPeople } from '../../accounts/users/index.ts';
import { visibleTo } from '../access/access.ts';
import { meetingsOfPeople } from './availability.ts';
import { presentInvitee } from './present.ts';

type UserContext = Context<UserCaller>;
type BusyBody = Input<typeof contract.booking.busy>['body'];

/** Every level of these departments, parents first, with the number of people in it and below. */
export function departmentTree(counts: ReadonlyMap<string, number>): DepartmentNode[] {
  const nodes = new Map<string, DepartmentNode>();
  for (const [department, people] of counts) {
    const levels = department.split('/');
    for (const [at, name] of levels.entries()) {
      const path = levels.slice(0, at + 1).join('/');
      const node = nodes.get(path) ?? {
        path,
        name,
        parent: at === 0 ? null : levels.slice(0, at).join('/'),
        people: 0,
      };
      nodes.set(path, { ...node, people: node.people + people });
    }
  }
  // By their levels, so that `a/b` comes before `a-c`.
  const keyOf = ({ path }: DepartmentNode): string => path.replaceAll('/', '\0');
  return [...nodes.values()].toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
}

/** People who can be invited: search, departments and availability. */
export function createInvitees({ db }: { db: Db }) {
  return {
    /** People who can be invited, by part of their name or account, in one department or in all. */
    search: (
      { caller }: UserContext,
      { keyword, department }: Input<typeof contract.meetings.invitees>['query'],
    ): Promise<Data<typeof contract.meetings.invitees>> =>
      db.tenant(caller.tenantId, async (tx) => {
        const people = department ? peopleOfDepartment(tx, department, keyword) : searchPeople(tx, keyword);
        return (await people).map(presentInvitee);
      }),

    departments: ({ caller }: UserContext): Promise<Data<typeof contract.booking.departments>> =>
      db.tenant(caller.tenantId, async (tx) => departmentTree(await countByDepartment(tx, 'invitable'))),

    /** The meetings of people between two times. Unknown people and those of other tenants have none. */
    busy: ({ caller }: UserContext, { userIds, from, until, except }: BusyBody): Promise<BusyPerson[]> =>
      db.tenant(caller.tenantId, async (tx) => {
        const found = await meetingsOfPeople(tx, userIds, { from: new Date(from), until: new Date(until), except });
        const visible = await visibleTo(tx, caller, [...new Set([...found.values()].flat())]);
        const names = new Map((await findAccounts(tx, [...found.keys()])).map((row) => [row.id, row.name]));
        return [...new Set(userIds)].flatMap((userId) => {
          const meetings = found.get(userId) ?? [];
          if (meetings.length === 0) return [];
          return [
            {
              userId,
              name: names.get(userId) ?? '',
              meetings: meetings.map(({ id, startTime, endTime, subject }) => ({
                startTime: startTime.toISOString(),
                endTime: endTime.toISOString(),
                subject: visible.has(id) ? subject : null,
              })),
            },
          ];
        });
      }),
  };
}

export type Invitees = ReturnType<typeof createInvitees>;
