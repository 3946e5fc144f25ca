export { createUserTasks, TASK_JOB, type UserTasks } from './service.ts';
export { userTaskRoutes } from './routes.ts';
