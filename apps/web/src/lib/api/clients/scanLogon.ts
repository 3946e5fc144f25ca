import { createClient, scanLogon as routes } from '@rmeet/contract';
import { sendAsUser } from '../asUser.ts';

export const scanLogon = createClient(routes, sendAsUser);
