import { recordings as routes, createClient } from '@rmeet/contract';
import { sendAsUser } from '../asUser.ts';

export const recordings = createClient(routes, sendAsUser);
