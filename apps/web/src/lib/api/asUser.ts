import { session } from '../browser.ts';
import { language } from '../i18n/index.ts';
import { askForProof } from '../proof.ts';
import { endSession, isSessionOver } from './report.ts';
import { createSend, type SendOptions } from './send.ts';

/** Options for calls as the signed-in user. */
export const asUser: SendOptions = {
  token: () => session.token,
  language,
  onUnauthorized: endSession,
  onStepUp: askForProof,
  isOver: isSessionOver,
};
export const sendAsUser = createSend(asUser);
