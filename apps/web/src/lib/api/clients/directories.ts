import { directories as routes, createClient } from '@rmeet/contract';
import { sendAsUser } from '../asUser.ts';

export const directories = createClient(routes, sendAsUser);
