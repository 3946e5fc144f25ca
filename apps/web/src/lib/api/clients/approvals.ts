import { approvals as routes, createClient } from '@rmeet/contract';
import { sendAsUser } from '../asUser.ts';

export const approvals = createClient(routes, sendAsUser);
