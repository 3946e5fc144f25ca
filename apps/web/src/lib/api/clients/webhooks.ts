import { createClient, webhooks as routes } from '@rmeet/contract';
import { sendAsUser } from '../asUser.ts';

export const webhooks = createClient(routes, sendAsUser);
