import type { CallNotice, DeviceNotice } from '../../../../call/index.ts';
import type { T } from '../../texts.ts';

/** How many may come, go or wait by name before they are only counted. */
const NAMED = 2;

/** What happened since the last look, in few sentences: many of a kind become one number. */
export function sentencesOf(notices: readonly CallNotice[], t: T): string[] {
  const named = (kind: 'joined' | 'left' | 'waiting'): string[] => {
    const names = notices.flatMap((each) => (each.kind === kind ? [each.name] : []));
    return names.length > NAMED
      ? [t(`notices.${kind}Many`, { count: names.length })]
      : names.map((name) => t(`notices.${kind}`, { name }));
  };
  const others = notices.flatMap((each) => {
    switch (each.kind) {
      case 'joined':
      case 'left':
      case 'waiting':
      // Asked by a dialog.
      case 'unmuteAsked':
      case 'contentAsked':
        return [];
      case 'shareEnded':
        return [t(`notices.shareEnded.${each.why}`)];
      case 'handRaised':
      case 'chat':
        return [t(`notices.${each.kind}`, { name: each.name })];
      case 'refused':
        // Why it ended says more than that it did.
        return each.source === 'screen' && notices.some(({ kind }) => kind === 'shareEnded')
          ? []
          : [refusalSentence(each, t)];
    }
  });
  return [...new Set([...others, ...named('waiting'), ...named('joined'), ...named('left')])];
}

function refusalSentence({ source, why }: CallNotice & { kind: 'refused' }, t: T): string {
  const what = source === 'camera' ? 'Camera' : source === 'microphone' ? 'Microphone' : 'Screen';
  return t(`notices.${why}${what}`);
}

export function deviceSentence({ code, label }: DeviceNotice, t: T): string {
  return t(`deviceNotices.${code}`, { label });
}
