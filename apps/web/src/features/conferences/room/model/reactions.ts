import { REACTIONS } from '@rmeet/contract';
import type { ShownReaction } from '../../../../call/index.ts';
import type { T } from '../../texts.ts';

/** Up to this number, reactions are announced with names; beyond it they are only counted. */
const NAMED = 2;

/** Reactions as one sentence: `Alice: heart`, or for many `5 reactions: 3 × heart, 2 × applause`. */
export function reactionSentences(reactions: readonly Pick<ShownReaction, 'name' | 'reaction'>[], t: T): string {
  if (reactions.length <= NAMED)
    return reactions
      .map(({ name, reaction }) => t('reactions.one', { name, what: t(`reactions.${reaction}`) }))
      .join(' ');
  const counts = REACTIONS.flatMap((reaction) => {
    const count = reactions.filter((each) => each.reaction === reaction).length;
    return count === 0 ? [] : [t('reactions.counted', { count, what: t(`reactions.${reaction}`) })];
  });
  return t('reactions.many', { count: reactions.length, what: counts.join(t('reactions.and')) });
}
