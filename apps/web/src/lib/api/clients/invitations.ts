import { createClient, invitations as routes } from '@rmeet/contract';
import { sendAsUser } from '../asUser.ts';

export const invitations = createClient(routes, sendAsUser);
