import { defineTexts, useTexts } from '../../lib/i18n/index.ts';
import type broadcast from './locales/zh.json';

declare module '../../lib/i18n/index.ts' {
  interface Texts {
    broadcast: typeof broadcast;
  }
}

defineTexts('broadcast', { zh: () => import('./locales/zh.json'), en: () => import('./locales/en.json') });

/** `t` of the settings and states of live broadcasts. */
export function useT() {
  return useTexts('broadcast');
}
export type BroadcastTexts = ReturnType<typeof useT>;
