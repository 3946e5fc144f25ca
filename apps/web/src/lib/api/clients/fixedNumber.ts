import { fixedNumber as routes, createClient } from '@rmeet/contract';
import { sendAsUser } from '../asUser.ts';

export const fixedNumber = createClient(routes, sendAsUser);
