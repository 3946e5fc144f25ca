import { defineTexts, useTexts } from '../../../lib/i18n/index.ts';
import type zh from './locales/zh.json';

declare module '../../../lib/i18n/index.ts' {
  interface Texts {
    manualLive: typeof zh;
  }
}

defineTexts('manualLive', { zh: () => import('./locales/zh.json'), en: () => import('./locales/en.json') });

/** The texts of live broadcasts of outside streams. */
export const useT = () => useTexts('manualLive');
export type ManualTexts = ReturnType<typeof useT>;
