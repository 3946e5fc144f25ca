import { defineTexts, useTexts } from '../../../lib/i18n/index.ts';
import type conferenceRecording from './locales/zh.json';

declare module '../../../lib/i18n/index.ts' {
  interface Texts {
    conferenceRecording: typeof conferenceRecording;
  }
}

defineTexts('conferenceRecording', { zh: () => import('./locales/zh.json'), en: () => import('./locales/en.json') });

/** `t` of the recording of a conference, in the room and at the desk. */
export function useT() {
  return useTexts('conferenceRecording');
}

export type T = ReturnType<typeof useT>;
