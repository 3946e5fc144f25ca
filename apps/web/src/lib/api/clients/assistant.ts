import { assistant as routes, createClient } from '@rmeet/contract';
import { sendAsUser } from '../asUser.ts';

export const assistant = createClient(routes, sendAsUser);
