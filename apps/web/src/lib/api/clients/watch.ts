import { watch as routes, createClient } from '@rmeet/contract';
import { session } from '../../browser.ts';
import { language } from '../../i18n/index.ts';
import { createSend } from '../send.ts';

/** As the signed-in user, if there is one; a session that has ended does not lead away from a public page. */
export const watch = createClient(routes, createSend({ token: () => session.token, language }));
