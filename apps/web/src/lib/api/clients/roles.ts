import { roles as routes, createClient } from '@rmeet/contract';
import { sendAsUser } from '../asUser.ts';

export const roles = createClient(routes, sendAsUser);
