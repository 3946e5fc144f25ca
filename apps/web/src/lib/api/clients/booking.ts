import { booking as routes, createClient } from '@rmeet/contract';
import { sendAsUser } from '../asUser.ts';

export const booking = createClient(routes, sendAsUser);
