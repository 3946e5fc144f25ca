import { createClient, multiauth as routes } from '@rmeet/contract';
import { sendAsUser } from '../asUser.ts';

export const multiauth = createClient(routes, sendAsUser);
