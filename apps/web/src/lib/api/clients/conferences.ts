import { conferences as routes, createClient } from '@rmeet/contract';
import { sendAsUser } from '../asUser.ts';

export const conferences = createClient(routes, sendAsUser);
