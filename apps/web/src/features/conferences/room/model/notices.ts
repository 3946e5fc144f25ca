import type { CallNotice, DeviceNotice } from '../../../../call/index.ts';
import type { T } from '../../texts.ts';

/** Up to this number, people who join, leave or wait are named; beyond it they are only counted. */
const NAMED = 2;

/** What happened since the last call, in few sentences: many events of one kind become a number. */
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
      // A dialog asks.
      case 'unmuteAsked':
      case 'contentAsked':
      // The header shows its text.
      case 'chat':
        return [];
      case 'shareEnded':
        return [t(`notices.shareEnded.${each.why}`)];
      case 'handRaised':
        return [t('notices.handRaised', { name: each.name })];
      case 'refused':
        // The reason it ended makes the plain notice unnecessary.
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
