import { tenants as routes, createClient } from '@rmeet/contract';
import { sendAsUser } from '../asUser.ts';

export const tenants = createClient(routes, sendAsUser);
