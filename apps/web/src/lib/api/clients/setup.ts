import { setup as routes, createClient } from '@rmeet/contract';
import { sendAsUser } from '../asUser.ts';

export const setup = createClient(routes, sendAsUser);
