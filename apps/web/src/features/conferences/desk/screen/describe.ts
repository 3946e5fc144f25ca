import type { ScreenLayout } from '@rmeet/conference';
import type { T } from '../texts.tsx';
import type { NameOf } from '../model/names.ts';

type Given = { verb: string } & Record<string, unknown>;

const SCREEN_VERBS = ['layout', 'seats', 'terminalLayout', 'window', 'contentLock', 'dualStream', 'banner'] as const;
/** Verbs of layouts, content and captions. */
export type ScreenVerb = (typeof SCREEN_VERBS)[number];
/** Maximum number of characters of captions quoted in a log row. */
const QUOTED = 24;

export const isScreenVerb = (verb: string): boolean => (SCREEN_VERBS as readonly string[]).includes(verb);

/** A short text of what a command about layouts, content or captions did; see describe. */
// oxlint-disable-next-line complexity -- A table of sentences, one case per verb.
export function describeScreen(given: Given, nameOf: NameOf, t: T): string {
  // Until its input has arrived, its changes show which terminals it concerns.
  const changed = given['termIds'] as readonly string[] | undefined;
  const termId = (given['termId'] as string | null | undefined) ?? changed?.[0] ?? null;
  const name = termId === null ? '' : (nameOf(termId) ?? t('log.somebody'));
  switch (given.verb as ScreenVerb) {
    case 'layout': {
      const model = given['model'] ?? (given['layout'] as ScreenLayout | undefined)?.model;
      return model === undefined
        ? t('screen.did.ownView')
        : t('screen.did.layout', { model: modelText(model as ScreenLayout['model'], t) });
    }
    case 'seats':
      return termId === null ? t('screen.did.seats') : t('screen.did.seatsOf', { name });
    case 'terminalLayout': {
      const layout = given['layout'] as ScreenLayout | null | undefined;
      return layout
        ? t('screen.did.layoutOf', { name, model: modelText(layout.model, t) })
        : t('screen.did.commonLayout', { name });
    }
    case 'window': {
      const position = given['position'] ?? given['window'] ?? null;
      return t('screen.did.window', { position: t(`screen.window.${(position ?? 'AUTO') as 'AUTO'}`) });
    }
    case 'contentLock': {
      const lockId = termId ?? (given['contentLockId'] as string | null | undefined) ?? null;
      return lockId === null
        ? t('screen.did.contentUnlock')
        : t('screen.did.contentLock', { name: nameOf(lockId) ?? t('log.somebody') });
    }
    case 'dualStream':
      return given['open'] === false || given['contentOff'] === true
        ? t('screen.did.contentHold', { name })
        : t('screen.did.contentAsk', { name });
    case 'banner': {
      const text = (given['banner'] as { text: string } | null | undefined)?.text ?? '';
      if (text === '') return termId === null ? t('screen.did.bannerClear') : t('screen.did.bannerClearOf', { name });
      return termId === null
        ? t('screen.did.banner', { text: quoted(text) })
        : t('screen.did.bannerOf', { name, text: quoted(text) });
    }
  }
}

/** A layout's name: `9`, `1+N`, `Automatic`. */
export function modelText(model: ScreenLayout['model'], t: T): string {
  if (model === 'AUTO' || model === 'PIP' || model === 'CUSTOM') return t(`screen.model.${model}`);
  return model === '1+N' ? model : t('screen.model.seats', { count: Number(model) });
}

function quoted(text: string): string {
  const line = text.trim().replaceAll(/\s+/gu, ' ');
  const letters = Array.from(line);
  return letters.length > QUOTED ? `${letters.slice(0, QUOTED).join('')}…` : line;
}
