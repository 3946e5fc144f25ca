import { createClient, statistics as routes } from '@rmeet/contract';
import { sendAsUser } from '../asUser.ts';

export const statistics = createClient(routes, sendAsUser);
