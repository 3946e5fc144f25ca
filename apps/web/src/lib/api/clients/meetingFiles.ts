import { meetingFiles as routes, createClient } from '@rmeet/contract';
import { sendAsUser } from '../asUser.ts';

export const meetingFiles = createClient(routes, sendAsUser);
