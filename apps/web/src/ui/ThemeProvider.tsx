import type { Locale } from '@rmeet/contract';
import { ConfigProvider, type ThemeConfig } from 'antd';
import english from 'antd/es/locale/en_US';
import dayjs from 'dayjs';
import { useEffect, useMemo, useState, type ReactNode } from 'react';
import { useLanguage } from '../lib/i18n/index.ts';
import { STILL, useMediaQuery } from '../lib/useMediaQuery.ts';
import { accentOf } from './accent.ts';
import { FONT, RADIUS, tokens } from './tokens.ts';

const theme: ThemeConfig = {
  token: {
    colorPrimary: tokens.primary,
    colorLink: tokens.primary,
    colorSuccess: tokens.success,
    colorWarning: tokens.warning,
    colorError: tokens.danger,
    colorText: tokens.text,
    colorTextSecondary: tokens.textSecondary,
    colorTextDescription: tokens.textSecondary,
    colorTextPlaceholder: '#6b7785',
    // What cannot be changed is still there to be read.
    colorTextDisabled: '#66727f',
    colorBorder: tokens.controlBorder,
    colorBorderSecondary: tokens.border,
    colorBgLayout: tokens.background,
    borderRadius: RADIUS,
    fontFamily: FONT,
    fontSize: 14,
    controlHeightSM: 28,
  },
};

/**
 * @param isStill nothing moves, and nothing waits for what would have moved (base.css takes the movement of the rest)
 */
function themeOf(accent: string | null, isStill: boolean): ThemeConfig {
  if (accent === null) return { token: { ...theme.token, motion: !isStill } };
  const { primary } = accentOf(accent);
  return { token: { ...theme.token, motion: !isStill, colorPrimary: primary, colorLink: primary } };
}

/** antd's words, and dayjs's, for a language; fetched when first needed. */
const packs: Record<Locale, () => Promise<ConfigLocale>> = {
  zh: async () => {
    const [{ default: words }] = await Promise.all([import('antd/es/locale/zh_CN'), import('dayjs/locale/zh-cn')]);
    dayjs.locale('zh-cn');
    return words;
  },
  // antd brings its English along in any case.
  en: () => {
    dayjs.locale('en');
    return Promise.resolve(english);
  },
};
type ConfigLocale = NonNullable<Parameters<typeof ConfigProvider>[0]['locale']>;

/**
 * antd in the product's look or the tenant's (`accent`: `#rrggbb`), its size and language. Only pages that use antd
 * mount it; the login page does not.
 */
export function ThemeProvider({ accent = null, children }: { accent?: string | null; children: ReactNode }) {
  const language = useLanguage();
  const isStill = useMediaQuery(STILL);
  const look = useMemo(() => themeOf(accent, isStill), [accent, isStill]);
  const [locale, setLocale] = useState<ConfigLocale>(english);
  useEffect(() => {
    let isWanted = true;
    const fetchWords = async () => {
      const words = await packs[language]();
      if (isWanted) setLocale(words);
    };
    void fetchWords();
    return () => {
      isWanted = false;
    };
  }, [language]);
  return (
    <ConfigProvider theme={look} componentSize="small" locale={locale}>
      {children}
    </ConfigProvider>
  );
}
