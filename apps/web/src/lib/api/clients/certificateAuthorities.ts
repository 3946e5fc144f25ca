import { certificateAuthorities as routes, createClient } from '@rmeet/contract';
import { sendAsUser } from '../asUser.ts';

export const certificateAuthorities = createClient(routes, sendAsUser);
