import { clientPackages as routes, createClient } from '@rmeet/contract';
import { sendAsUser } from '../asUser.ts';

export const clientPackages = createClient(routes, sendAsUser);
