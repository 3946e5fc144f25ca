import { useState } from 'react';
import { language } from '../../../lib/i18n/index.ts';
import { STILL, useMediaQuery } from '../../../lib/useMediaQuery.ts';
import { useT } from '../texts.ts';

/** Hearts that rise at the same time. */
const MOST_HEARTS = 12;

/** Likes of all viewers, and the button for one's own. */
export function Likes({ count, onLike }: { count: number; onLike: () => void }) {
  const t = useT();
  const isStill = useMediaQuery(STILL);
  const [hearts, setHearts] = useState<readonly number[]>([]);
  const [next, setNext] = useState(0);
  const shown = new Intl.NumberFormat(language()).format(count);
  const like = () => {
    onLike();
    if (isStill) return;
    setHearts((now) => [...now, next].slice(-MOST_HEARTS));
    setNext(next + 1);
  };
  return (
    <div className="watch-likes">
      <button
        type="button"
        className="watch-like"
        aria-label={t('likes.label', { shown })}
        title={t('likes.give')}
        data-testid="watch-like"
        onClick={like}
      >
        <Heart />
        <span data-testid="watch-likes">{shown}</span>
      </button>
      {hearts.map((one) => (
        <span
          key={one}
          className="watch-heart"
          data-way={one % 4}
          aria-hidden="true"
          onAnimationEnd={() => setHearts((now) => now.filter((other) => other !== one))}
        >
          <Heart />
        </span>
      ))}
    </div>
  );
}

function Heart() {
  return (
    <svg width="20" height="20" viewBox="0 0 20 20" fill="currentColor" aria-hidden="true">
      <path d="M10 17S2.5 12.6 2.5 7.4A3.9 3.9 0 0 1 10 5.6a3.9 3.9 0 0 1 7.5 1.8C17.5 12.6 10 17 10 17Z" />
    </svg>
  );
}
