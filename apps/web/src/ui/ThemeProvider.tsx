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
    // Disabled controls must still be readable.
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

/** @param isStill nothing moves, and nothing waits for an animation (base.css disables the remaining animations) */
function themeOf(accent: string | null, isStill: boolean): ThemeConfig {
  if (accent === null) return { token: { ...theme.token, motion: !isStill } };
  const { primary } = accentOf(accent);
  return { token: { ...theme.token, motion: !isStill, colorPrimary: primary, colorLink: primary } };
}

/** The texts of antd and dayjs for a language; loaded on demand. */
const packs: Record<Locale, () => Promise<ConfigLocale>> = {
  zh: async () => {
    const [{ default: words }] = await Promise.all([import('antd/es/locale/zh_CN'), import('dayjs/locale/zh-cn')]);
    dayjs.locale('zh-cn');
    return words;
  },
  // antd includes its English texts anyway.
  en: () => {
    dayjs.locale('en');
    return Promise.resolve(english);
  },
};
type ConfigLocale = NonNullable<Parameters<typeof ConfigProvider>[0]['locale']>;

/**
 * antd in the product's look or the tenant's (`accent`: `#rrggbb`), with its size and language. Only pages that use
 * antd mount it; the login page does not.
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
