import type { Answers } from './answers.ts';
import { forgetAnswers, keepPacked, packAnswers } from './draft.ts';

const KEY = 'setupSecret';

/** The secret, and after a full stop the values typed under a different origin. */
const LINK = /^#([\w-]{20,100})(?:\.([\w-]{1,4000}))?$/;

/** The secret of the setup link: from the URL, which is then cleared, or from before a reload; null without a link. */
export function takeSecret(): string | null {
  const [, given, packed] = LINK.exec(location.hash) ?? [];
  if (given !== undefined) {
    sessionStorage.setItem(KEY, given);
    if (packed !== undefined) keepPacked(packed);
    history.replaceState(null, '', location.pathname);
  }
  return sessionStorage.getItem(KEY);
}

/** Opening a link in this tab only changes the hash: the page restarts with it. */
export function followLinks(): void {
  window.addEventListener('hashchange', () => {
    if (LINK.test(location.hash)) location.reload();
  });
}

/** The setup link under a different origin, with the typed values; browsers do not send the hash to a server. */
export function linkUnder(origin: string, secret: string, answers: Answers): string {
  return `${origin}/setup/#${secret}.${packAnswers(answers)}`;
}

/** Deletes the stored link and values. */
export function forgetSecret(): void {
  sessionStorage.removeItem(KEY);
  forgetAnswers();
}
