import { series as routes, createClient } from '@rmeet/contract';
import { sendAsUser } from '../asUser.ts';

export const series = createClient(routes, sendAsUser);
