import { users as routes, createClient } from '@rmeet/contract';
import { sendAsUser } from '../asUser.ts';

export const users = createClient(routes, sendAsUser);
