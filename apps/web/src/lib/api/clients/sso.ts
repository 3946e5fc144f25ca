import { createClient, sso as routes } from '@rmeet/contract';
import { sendAsUser } from '../asUser.ts';

export const sso = createClient(routes, sendAsUser);
