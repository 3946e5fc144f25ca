import { resources as routes, createClient } from '@rmeet/contract';
import { sendAsUser } from '../asUser.ts';

export const resources = createClient(routes, sendAsUser);
