import { useEffect, useRef, useState } from 'react';
import { watchLevel } from '../../../call/index.ts';
import { useT } from '../texts.ts';
import { createHearing, type Hearing } from './hearing.ts';

/**
 * The microphone's level as a bar, and in words whether it is heard. The bar is updated without React, because it
 * changes fifteen times a second.
 */
export function LevelMeter({ track }: { track: MediaStreamTrack | null }) {
  const t = useT();
  const bar = useRef<HTMLDivElement>(null);
  const [judged, setJudged] = useState<{ track: MediaStreamTrack; hearing: Hearing } | null>(null);
  useEffect(() => {
    const element = bar.current;
    if (track === null || element === null) return undefined;
    const judge = createHearing();
    let before: Hearing = 'listening';
    const stop = watchLevel(track, (level) => {
      element.style.setProperty('--level', level.toFixed(2));
      const hearing = judge(level);
      if (hearing !== before) setJudged({ track, hearing });
      before = hearing;
    });
    return () => {
      stop();
      element.style.setProperty('--level', '0');
    };
  }, [track]);
  const hearing = track === null ? 'off' : judged?.track === track ? judged.hearing : 'listening';
  return (
    <div className="level" data-testid="level" data-hearing={hearing}>
      <div className="level-meter" role="img" aria-label={t('preview.level')}>
        <div ref={bar} className="level-meter-bar" />
      </div>
      <p className="level-words" role="status">
        {t(`hearing.${hearing}`)}
      </p>
    </div>
  );
}
