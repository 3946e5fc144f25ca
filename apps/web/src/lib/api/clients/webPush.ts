import { createClient, webPush as routes } from '@rmeet/contract';
import { sendAsUser } from '../asUser.ts';

export const webPush = createClient(routes, sendAsUser);
