import { createClient, hrsms as routes } from '@rmeet/contract';
import { sendAsUser } from '../asUser.ts';

export const hrsms = createClient(routes, sendAsUser);
