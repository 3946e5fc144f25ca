import { userTasks as routes, createClient } from '@rmeet/contract';
import { sendAsUser } from '../asUser.ts';

export const userTasks = createClient(routes, sendAsUser);
