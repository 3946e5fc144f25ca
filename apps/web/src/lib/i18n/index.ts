import { DEFAULT_LOCALE, LOCALES, localeOfTags, type Locale } from '@rmeet/contract';
import { createInstance, type BackendModule } from 'i18next';
import { useMemo } from 'react';
import { initReactI18next, useTranslation } from 'react-i18next';
import { chunkErrorOf, loadChunk } from '../chunks.ts';
import type common from './locales/zh.json';

/** The type of the texts of each namespace. Features add theirs by declaration merging. */
export interface Texts {
  common: typeof common;
}

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common';
    resources: Texts;
  }
}

type Loader = Record<Locale, () => Promise<{ default: object }>>;

const STORAGE_KEY = 'locale';
const loaders = new Map<string, Loader>();
const i18n = createInstance();

/**
 * Declares the texts of a namespace. They are loaded immediately for the current language, and for the other one when
 * the user switches.
 */
export function defineTexts(namespace: keyof Texts, loader: Loader): void {
  loaders.set(namespace, loader);
  if (i18n.isInitialized) void i18n.loadNamespaces(namespace);
}

/**
 * `t` of a namespace; the component suspends until its texts are loaded. The function changes with the language, but
 * always uses the current language when called: a message stored as a function of it follows a change of language.
 */
export function useTexts<N extends keyof Texts>(namespace: N): ReturnType<typeof useTranslation<N>>['t'] {
  const {
    i18n: { language: inUse },
  } = useTranslation(namespace);
  // The library's `t` is bound to the language it was created with.
  // oxlint-disable-next-line react/exhaustive-deps -- another one in each language
  return useMemo(() => i18n.getFixedT(null, namespace), [namespace, inUse]) as never;
}

const backend: BackendModule = {
  type: 'backend',
  init: () => undefined,
  // i18next awaits the promise of a `read` function with two parameters.
  read: async (locale: string, namespace: string) => {
    const load = loaders.get(namespace)?.[locale as Locale];
    if (!load) throw new Error(`no texts for ${namespace} in ${locale}`);
    return (await load()).default;
  },
};

defineTexts('common', { zh: () => import('./locales/zh.json'), en: () => import('./locales/en.json') });

/** Starts with {@link firstLanguage}. `account` is the stored language of the signed-in user. */
export async function startI18n(account: Locale | undefined): Promise<void> {
  await i18n
    .use(backend)
    .use(initReactI18next)
    .init({
      lng: firstLanguage(account),
      fallbackLng: false,
      ns: ['common'],
      defaultNS: 'common',
      interpolation: { escapeValue: false },
      returnNull: false,
    });
  showInDocument(language());
}

/** The current language. */
export function language(): Locale {
  return i18n.language as Locale;
}

/** Re-renders the component when the language changes. */
export function useLanguage(): Locale {
  return useTranslation().i18n.language as Locale;
}

/** Switches the language and stores it. If its texts fail to load, rejects with ChunkError and changes nothing. */
export async function switchLanguage(locale: Locale): Promise<void> {
  await show(locale, () => localStorage.setItem(STORAGE_KEY, locale));
}

/**
 * After a sign-in: switches to the account's language if none was chosen in this browser. If its texts fail to load,
 * the language does not change.
 */
export async function followAccount(account: Locale): Promise<void> {
  const locale = firstLanguage(account);
  if (locale === language()) return;
  try {
    await show(locale);
  } catch (error) {
    if (chunkErrorOf(error) === null) throw error;
  }
}

let asked = 0;

/**
 * Nothing is loaded for the current language; of two consecutive requests, the later one wins.
 * @param keep called once the texts are loaded
 */
async function show(locale: Locale, keep?: () => void): Promise<void> {
  const own = (asked += 1);
  if (locale !== language()) await loadChunk(() => Promise.all([...loaders.values()].map((load) => load[locale]())));
  if (own !== asked) return;
  keep?.();
  await i18n.changeLanguage(locale);
  showInDocument(locale);
}

/** A text of the namespace `common`, for code outside React. */
export function text(key: string): string {
  return (i18n.t as (key: string) => string)(key);
}

/**
 * The language chosen in this browser, else the account's, else the browser's (docs/decisions/language.md). An account
 * without its own choice has the default. public/compat.js does the same before the app is loaded.
 */
function firstLanguage(account: Locale | undefined): Locale {
  const chosen = LOCALES.find((locale) => locale === localStorage.getItem(STORAGE_KEY));
  return chosen ?? (account === undefined || account === DEFAULT_LOCALE ? localeOfTags(navigator.languages) : account);
}

function showInDocument(locale: Locale): void {
  document.documentElement.lang = locale === 'zh' ? 'zh-CN' : 'en';
}
