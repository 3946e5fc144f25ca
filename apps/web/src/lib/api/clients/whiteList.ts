import { whiteList as routes, createClient } from '@rmeet/contract';
import { sendAsUser } from '../asUser.ts';

export const whiteList = createClient(routes, sendAsUser);
