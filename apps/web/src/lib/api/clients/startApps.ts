import { startApps as routes, createClient } from '@rmeet/contract';
import { sendAsUser } from '../asUser.ts';

export const startApps = createClient(routes, sendAsUser);
