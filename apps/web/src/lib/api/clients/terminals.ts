import { terminals as routes, createClient } from '@rmeet/contract';
import { sendAsUser } from '../asUser.ts';

export const terminals = createClient(routes, sendAsUser);
