import { UNAUTHORIZED_DELAY } from '@rmeet/contract';
import { access } from '../access.ts';
import { currentPath, goTo, session } from '../browser.ts';
import { text } from '../i18n/index.ts';
import { ask, toast } from '../notify.ts';
import { loginPath } from '../paths.ts';
import { closeUserPush } from '../push/index.ts';
import { reactionTo, type Reaction } from './reactions.ts';
import { ApiError } from './error.ts';
import { Cancelled } from './retryWhileBusy.ts';

const sentence = (key: Parameters<Parameters<typeof reactionTo>[1]>[0]) => text(`errors.${key}`);

/**
 * Shows an error according to the catalogue. A 401 was already handled when it arrived; what the user has cancelled is
 * no error.
 */
export function reportError(error: unknown): void {
  if (error instanceof Cancelled) return;
  if (!(error instanceof ApiError)) {
    toast('error', () => sentence('other'));
    return;
  }
  const reaction = reactionTo(error, sentence);
  if (reaction.kind === 'toast') toast(reaction.level, reaction.text);
}

let leaving: string | null = null;

/** The user signs out: 401s of this token are ignored from now on. Null if the sign-out failed. */
export function expectEnd(token: string | null): void {
  leaving = token;
}

let isOver = false;

/** True from the end of a session until the page is left: the page stays under a dialog, and would continue polling. */
export const isSessionOver = (): boolean => isOver;

/** Ends the session because the server rejected its token. Further rejections of the same token have no effect. */
export function endSession(error: ApiError, token: string): void {
  if (session.token !== token || token === leaving) return;
  const back = loginPath(currentPath());
  const reaction = reactionTo(error, sentence);
  session.clear();
  isOver = true;
  closeUserPush();
  if (reaction.kind === 'signIn') setTimeout(() => void leadToLogin(reaction, back), UNAUTHORIZED_DELAY);
}

async function leadToLogin(
  { blocking, text: why }: Extract<Reaction, { kind: 'signIn' }>,
  back: string,
): Promise<void> {
  if (blocking) await ask({ title: text('tip'), text: why(), okText: text('errors.signInAgainButton') });
  else toast('error', why);
  // Until now the page stays unchanged under the dialog; then routes and roles are removed, too.
  if (session.token === null) access.set(null);
  isOver = false;
  goTo(back);
}
