import { operators as routes, createClient } from '@rmeet/contract';
import { sendAsUser } from '../asUser.ts';

export const operators = createClient(routes, sendAsUser);
