import {
  pathOf,
  REQUEST_TIMEOUT,
  userTasks,
  type AccountChange,
  type FIRST_ACCESS,
  type TaskItemState,
  type UserTask,
} from '@rmeet/contract';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { api, userTasksApiWithTimeout } from '../../../lib/api/index.ts';
import { saveBase64 } from '../../../lib/base64.ts';
import { language } from '../../../lib/i18n/index.ts';
import { filterOf, ofTenant, useRefreshUsers } from '../queries.ts';
import type { UserListState } from '../listShape.ts';

const KEY = 'user-task';
/** Milliseconds between two looks at a running task. */
const LOOK_AGAIN = 1_000;
/** Checking thousands of rows takes long. */
const CHECK_TIMEOUT = 4 * REQUEST_TIMEOUT;
export const ITEMS_SIZE = 50;

const inLanguage = () => (language() === 'en' ? { en: '1' } : {});

/** Which accounts a change applies to: those selected, or all that the list shows on its pages. */
export type ChangeTarget = { ids: string[] } | { list: UserListState };

/** The newest state of a task, until it has ended; `onEnd` is called then. */
export function useTask(tenant: string, known: UserTask, onEnd: (task: UserTask) => void): UserTask {
  const refresh = useRefreshUsers();
  const query = useQuery({
    // What was cached before it was started is no state of it.
    queryKey: [KEY, known.id, known.state],
    queryFn: () => api.userTasks.read({ params: { id: known.id }, query: ofTenant(tenant) }),
    initialData: known,
    staleTime: 0,
    enabled: known.state === 'running',
    refetchInterval: ({ state }) => (state.data?.state === 'running' ? LOOK_AGAIN : false),
    // A look that fails is repeated.
    meta: { quiet: true },
  });
  const task = known.state === 'running' ? query.data : known;
  const end = useEffectEvent(() => {
    void refresh();
    onEnd(task);
  });
  const hasEnded = known.state === 'running' && (task.state === 'done' || task.state === 'cancelled');
  useEffect(() => {
    if (hasEnded) end();
  }, [hasEnded]);
  return task;
}

/** The last tasks of the caller. */
export function useTasks(tenant: string) {
  return useQuery({
    queryKey: [KEY, 'list', tenant],
    queryFn: () => api.userTasks.list({ query: ofTenant(tenant) }),
    staleTime: 0,
    // A list of former tasks is an extra.
    meta: { quiet: true },
  }).data;
}

/** One page of the accounts of a task. */
export function useTaskItems(tenant: string, task: UserTask, state: TaskItemState | '', current: number) {
  return useQuery({
    queryKey: [KEY, task.id, 'items', task.state, state, current, language()],
    queryFn: () =>
      api.userTasks.items({
        params: { id: task.id },
        query: {
          ...ofTenant(tenant),
          ...inLanguage(),
          ...(state === '' ? {} : { state }),
          current,
          size: ITEMS_SIZE,
        },
      }),
    placeholderData: keepPreviousData,
    enabled: task.state !== 'running',
    meta: { quiet: 'unloaded' },
  });
}

/** URL of the list of a task's accounts. */
export function reportPath(tenant: string, { id }: UserTask): string {
  return pathOf(userTasks.report, { params: { id }, query: { ...ofTenant(tenant), ...inLanguage() } });
}

export function templatePath(format: 'xlsx' | 'csv'): string {
  return pathOf(userTasks.template, { query: { ...inLanguage(), format } });
}

/** Uploads a sheet (base64) to be checked; `signal` stops waiting for the answer. */
export function checkSheet(tenant: string, name: string, file: string, signal: AbortSignal): Promise<UserTask> {
  return userTasksApiWithTimeout({ signal, timeout: CHECK_TIMEOUT }).import({
    body: { ...ofTenant(tenant), name: name.slice(-200), file },
  });
}

/** The calls about the tasks of one tenant. */
export function taskCalls(tenant: string) {
  const body = ofTenant(tenant);
  return {
    start: (id: string, firstAccess: (typeof FIRST_ACCESS)[number] = 'password') =>
      api.userTasks.start({ params: { id }, body: { ...body, firstAccess } }),
    cancel: (id: string) => api.userTasks.cancel({ params: { id }, body }),
    /** Prepares a change of many accounts and starts it. */
    async change(target: ChangeTarget, change: AccountChange): Promise<UserTask> {
      const of = 'ids' in target ? target : { filter: changeFilter(target.list) };
      const { id } = await api.userTasks.change({ body: { ...body, of, change } });
      return api.userTasks.start({ params: { id }, body });
    },
  };
}

function changeFilter(list: UserListState) {
  const { keyword, department, status, roleId } = filterOf(list);
  return {
    keyword,
    department,
    ...(status === undefined ? {} : { status }),
    ...(roleId === undefined ? {} : { roleId }),
  };
}

/** Downloads the first passwords of a task, which the server then forgets. */
export function useTakePasswords(tenant: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) =>
      api.userTasks.passwords({ params: { id }, body: { ...ofTenant(tenant), ...inLanguage() } }),
    onSuccess: ({ name, file }) => saveBase64(name, file, 'text/csv'),
    onSettled: () => client.invalidateQueries({ queryKey: [KEY] }),
  });
}

/** Whether invitations can be sent; undefined while that is not known. */
export function useInvitationMail(enabled = true) {
  return useQuery({
    queryKey: ['invitation-mail'],
    queryFn: () => api.users.invitationMail(),
    staleTime: 60_000,
    enabled,
    meta: { quiet: true },
  }).data;
}
