import { createClient, liveProviders as routes } from '@rmeet/contract';
import { sendAsUser } from '../asUser.ts';

export const liveProviders = createClient(routes, sendAsUser);
