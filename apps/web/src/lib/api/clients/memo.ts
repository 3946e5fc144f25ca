import { memo as routes, createClient } from '@rmeet/contract';
import { sendAsUser } from '../asUser.ts';

export const memo = createClient(routes, sendAsUser);
