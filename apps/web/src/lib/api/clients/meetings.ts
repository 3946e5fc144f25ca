import { meetings as routes, createClient } from '@rmeet/contract';
import { sendAsUser } from '../asUser.ts';

export const meetings = createClient(routes, sendAsUser);
