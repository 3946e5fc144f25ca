import { defineTexts, useTexts } from '../../../lib/i18n/index.ts';
import type zh from './locales/zh.json';

declare module '../../../lib/i18n/index.ts' {
  interface Texts {
    pushTargets: typeof zh;
  }
}

defineTexts('pushTargets', { zh: () => import('./locales/zh.json'), en: () => import('./locales/en.json') });

/** The texts of the addresses of a broadcast. */
export const useT = () => useTexts('pushTargets');
