import { broadcasts as routes, createClient } from '@rmeet/contract';
import { sendAsUser } from '../asUser.ts';

export const broadcasts = createClient(routes, sendAsUser);
