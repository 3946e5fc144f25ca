import { defineTexts, useTexts } from '../../../lib/i18n/index.ts';
import type vote from './locales/zh.json';

declare module '../../../lib/i18n/index.ts' {
  interface Texts {
    vote: typeof vote;
  }
}

defineTexts('vote', { zh: () => import('./locales/zh.json'), en: () => import('./locales/en.json') });

/** `t` of the control of votes. */
export function useT() {
  return useTexts('vote');
}
