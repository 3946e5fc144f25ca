import { useEffect, useRef } from 'react';
import { watchLevel } from '../../../call/index.ts';
import { useT } from '../texts.ts';

/** The microphone's level as a bar; updated without React, because it changes fifteen times a second. */
export function LevelMeter({ track }: { track: MediaStreamTrack | null }) {
  const t = useT();
  const bar = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = bar.current;
    if (track === null || element === null) return undefined;
    const stop = watchLevel(track, (level) => element.style.setProperty('--level', level.toFixed(2)));
    return () => {
      stop();
      element.style.setProperty('--level', '0');
    };
  }, [track]);
  return (
    <div className="level-meter" role="img" aria-label={t('preview.level')}>
      <div ref={bar} className="level-meter-bar" />
    </div>
  );
}
