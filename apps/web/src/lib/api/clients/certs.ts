import { certs as routes, createClient } from '@rmeet/contract';
import { sendAsUser } from '../asUser.ts';

export const certs = createClient(routes, sendAsUser);
