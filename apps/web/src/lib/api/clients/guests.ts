import { guests as routes, createClient } from '@rmeet/contract';
import { sendAsUser } from '../asUser.ts';

export const guests = createClient(routes, sendAsUser);
