import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../lib/api/index.ts';

const GROUPS = ['participant-groups'];

/** The departments of the tenant, with the number of people in each. */
export const departmentsQuery = queryOptions({
  queryKey: ['departments-to-invite'],
  queryFn: () => api.booking.departments(),
  staleTime: 60_000,
  meta: { quiet: true },
});

/** People of a department and of all departments below it. */
export function departmentPeople(department: string) {
  return queryOptions({
    queryKey: ['invitees', 'of', department],
    queryFn: () => api.meetings.invitees({ query: { department } }),
    staleTime: 60_000,
    meta: { quiet: true },
  });
}

/** The caller's own groups of people. */
export const groupsQuery = queryOptions({
  queryKey: GROUPS,
  queryFn: () => api.booking.groups(),
  staleTime: 60_000,
  meta: { quiet: true },
});

/** Creates, renames and deletes groups. The caller shows failures. */
export function useGroupChange() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (change: GroupChange) => {
      if (change.kind === 'create') await api.booking.createGroup({ body: change.body });
      else if (change.kind === 'update')
        await api.booking.updateGroup({ params: { id: change.id }, body: change.body });
      else await api.booking.removeGroup({ params: { id: change.id } });
    },
    onSettled: () => client.invalidateQueries({ queryKey: GROUPS }),
    meta: { quiet: true },
  });
}

interface GroupBody {
  name: string;
  userIds: string[];
}

export type GroupChange =
  | { kind: 'create'; body: GroupBody }
  | { kind: 'update'; id: string; body: GroupBody & { version: number } }
  | { kind: 'remove'; id: string };
