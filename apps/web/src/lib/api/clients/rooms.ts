import { rooms as routes, createClient } from '@rmeet/contract';
import { sendAsUser } from '../asUser.ts';

export const rooms = createClient(routes, sendAsUser);
