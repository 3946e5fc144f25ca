import { createClient, apiRecords as routes } from '@rmeet/contract';
import { sendAsUser } from '../asUser.ts';

export const apiRecords = createClient(routes, sendAsUser);
