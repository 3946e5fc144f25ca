import { downloads as routes, createClient } from '@rmeet/contract';
import { sendAsUser } from '../asUser.ts';

export const downloads = createClient(routes, sendAsUser);
