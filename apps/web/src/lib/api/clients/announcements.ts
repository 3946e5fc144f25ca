import { announcements as routes, createClient } from '@rmeet/contract';
import { sendAsUser } from '../asUser.ts';

export const announcements = createClient(routes, sendAsUser);
