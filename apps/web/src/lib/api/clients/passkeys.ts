import { createClient, passkeys as routes } from '@rmeet/contract';
import { sendAsUser } from '../asUser.ts';

export const passkeys = createClient(routes, sendAsUser);
