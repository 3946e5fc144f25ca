import { createClient, documents as routes } from '@rmeet/contract';
import { sendAsUser } from '../asUser.ts';

export const documents = createClient(routes, sendAsUser);
