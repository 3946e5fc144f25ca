import { audit as routes, createClient } from '@rmeet/contract';
import { sendAsUser } from '../asUser.ts';

export const audit = createClient(routes, sendAsUser);
