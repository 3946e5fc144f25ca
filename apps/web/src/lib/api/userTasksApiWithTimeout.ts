import { createClient, userTasks } from '@rmeet/contract';
import { asUser } from './asUser.ts';
import { createSend, type SendOptions } from './send.ts';

/** The calls of user tasks, with a separate timeout and an abort signal: the check of a sheet takes long. */
export function userTasksApiWithTimeout(patience: Required<Pick<SendOptions, 'timeout' | 'signal'>>) {
  return createClient(userTasks, createSend({ ...asUser, ...patience }));
}
