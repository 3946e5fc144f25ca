import { notices as routes, createClient } from '@rmeet/contract';
import { sendAsUser } from '../asUser.ts';

export const notices = createClient(routes, sendAsUser);
