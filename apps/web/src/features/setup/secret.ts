import type { Answers } from './answers.ts';
import { forgetAnswers, keepPacked, packAnswers } from './draft.ts';

const KEY = 'setupSecret';

/** The secret, and after a full stop what was typed under another address. */
const LINK = /^#([\w-]{20,100})(?:\.([\w-]{1,4000}))?$/;

/**
 * The secret of the setup link: from the address, out of which it is taken, or from before a reload; null without a
 * link.
 */
export function takeSecret(): string | null {
  const [, given, packed] = LINK.exec(location.hash) ?? [];
  if (given !== undefined) {
    sessionStorage.setItem(KEY, given);
    if (packed !== undefined) keepPacked(packed);
    history.replaceState(null, '', location.pathname);
  }
  return sessionStorage.getItem(KEY);
}

/** A link that is opened in this tab changes the hash alone: the page begins anew with it. */
export function followLinks(): void {
  window.addEventListener('hashchange', () => {
    if (LINK.test(location.hash)) location.reload();
  });
}

/** The setup link under another address, with what is typed; the hash goes to no server. */
export function linkUnder(origin: string, secret: string, answers: Answers): string {
  return `${origin}/setup/#${secret}.${packAnswers(answers)}`;
}

/** Forgets the link and what was typed. */
export function forgetSecret(): void {
  sessionStorage.removeItem(KEY);
  forgetAnswers();
}
