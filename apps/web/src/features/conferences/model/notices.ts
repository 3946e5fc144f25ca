import type { CallNotice, DeviceNotice } from '../../../call/index.ts';
import type { T } from '../texts.ts';

/** How many may come or go by name before they are only counted. */
const NAMED = 2;

/** What happened since the last look, in few sentences: many comings and goings become one number. */
export function sentencesOf(notices: readonly CallNotice[], t: T): string[] {
  const named = (kind: 'joined' | 'left', many: 'joinedMany' | 'leftMany'): string[] => {
    const names = notices.flatMap((each) => (each.kind === kind ? [each.name] : []));
    return names.length > NAMED ? [t(`notices.${many}`, { count: names.length })] : names.map((name) => t(`notices.${kind}`, { name }));
  };
  const others = notices.flatMap((each) => {
    switch (each.kind) {
      case 'joined':
      case 'left':
        return [];
      case 'handRaised':
      case 'waiting':
      case 'chat':
        return [t(`notices.${each.kind}`, { name: each.name })];
      case 'refused':
        return [refusalSentence(each, t)];
    }
  });
  return [...new Set([...others, ...named('joined', 'joinedMany'), ...named('left', 'leftMany')])];
}

function refusalSentence({ source, why }: CallNotice & { kind: 'refused' }, t: T): string {
  const what = source === 'camera' ? 'Camera' : source === 'microphone' ? 'Microphone' : 'Screen';
  return t(`notices.${why}${what}`);
}

export function deviceSentence({ code, label }: DeviceNotice, t: T): string {
  return t(`deviceNotices.${code}`, { label });
}
