import { permissions as routes, createClient } from '@rmeet/contract';
import { sendAsUser } from '../asUser.ts';

export const permissions = createClient(routes, sendAsUser);
