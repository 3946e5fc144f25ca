import { defineTexts, useTexts } from '../../lib/i18n/index.ts';
import type meetingFiles from './locales/zh.json';

declare module '../../lib/i18n/index.ts' {
  interface Texts {
    meetingFiles: typeof meetingFiles;
  }
}

defineTexts('meetingFiles', { zh: () => import('./locales/zh.json'), en: () => import('./locales/en.json') });

/** `t` of the files of a meeting. */
export function useT() {
  return useTexts('meetingFiles');
}

export type T = ReturnType<typeof useT>;
