import { scim as routes, createClient } from '@rmeet/contract';
import { sendAsUser } from '../asUser.ts';

export const scim = createClient(routes, sendAsUser);
