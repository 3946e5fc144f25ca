import { history as routes, createClient } from '@rmeet/contract';
import { sendAsUser } from '../asUser.ts';

export const history = createClient(routes, sendAsUser);
