import { createClient, manualLives as routes } from '@rmeet/contract';
import { sendAsUser } from '../asUser.ts';

export const manualLives = createClient(routes, sendAsUser);
