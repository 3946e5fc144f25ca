import { auth as routes, createClient } from '@rmeet/contract';
import { sendAsUser } from '../asUser.ts';

export const auth = createClient(routes, sendAsUser);
