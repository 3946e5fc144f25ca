import { createClient, identityProviders as routes } from '@rmeet/contract';
import { sendAsUser } from '../asUser.ts';

export const identityProviders = createClient(routes, sendAsUser);
