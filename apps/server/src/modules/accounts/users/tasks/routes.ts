import type { contract } from '@rmeet/contract';
import type { Handlers } from '../../../../platform/http/index.ts';
import type { UserTasks } from './service.ts';

export const userTaskRoutes = (tasks: UserTasks): Handlers<typeof contract.userTasks> => ({
  list: (context, input) => tasks.list(context, input),
  template: (context, input) => tasks.template(context, input),
  import: (context, input) => tasks.import(context, input),
  change: (context, input) => tasks.change(context, input),
  read: (context, input) => tasks.read(context, input),
  items: (context, input) => tasks.items(context, input),
  start: (context, input) => tasks.start(context, input),
  cancel: (context, input) => tasks.cancel(context, input),
  report: (context, input) => tasks.report(context, input),
  passwords: (context, input) => tasks.passwords(context, input),
});
