import type { Banner, ConferenceControl } from '@rmeet/conference';
import { useEffect, useState, type CSSProperties } from 'react';
import type { CaptionsSize } from './preferences.ts';
import { bannerChange, bannerFor } from './proceedings.ts';
import './captions.css';

/** Captions are removed this long after their end, because timers may fire a little early; ms. */
const MARGIN = 20;
/** Animation speed: characters of a line, and lines, per second. */
const PACE = { LEFT: 7, UP: 0.6 } as const;
/** The approximate number of visible characters and lines: repeating text also moves through this space. */
const [WIDTH, HEIGHT] = [40, 4];

interface CaptionsProps {
  control: ConferenceControl;
  /** Null for an onlooker, who sees the captions for all. */
  termId: string | null;
  /** How far the server's clock is ahead of the browser's, ms. */
  clockAhead: number;
  /** The user's own choice, on top of the chair's. */
  size?: CaptionsSize;
}

/** The chair's captions over the pictures, until their end by the server's clock. */
export function CaptionsBanner({ control, termId, clockAhead, size = 'normal' }: CaptionsProps) {
  const [looked, setLooked] = useState(() => Date.now());
  const now = looked + clockAhead;
  const shown = bannerFor(control, termId, now);
  const change = bannerChange(control, termId, now);
  useEffect(() => {
    if (change === null) return undefined;
    const timer = setTimeout(() => setLooked(Date.now()), Math.max(0, change - Date.now() - clockAhead) + MARGIN);
    return () => clearTimeout(timer);
  }, [change, clockAhead]);
  // The live region exists before its text: only then do screen readers announce the text.
  return (
    <div
      className={`captions captions-${shown?.position ?? 'BOTTOM'}`}
      role="status"
      data-own-size={size}
      data-testid="captions-frame"
    >
      {shown !== null && <Text key={shown.since} banner={shown} />}
    </div>
  );
}

function Text({ banner: { text, size, scroll, position, language } }: { banner: Banner }) {
  const lines = text.split('\n');
  const longest = Math.max(...lines.map((line) => line.length));
  const first = Math.max(4, scroll === 'LEFT' ? longest / PACE.LEFT : (lines.length + text.length / 40) / PACE.UP);
  const whole = first + (scroll === 'LEFT' ? WIDTH / PACE.LEFT : HEIGHT / PACE.UP);
  const style = {
    '--captions-first': `${Math.round(first)}s`,
    '--captions-seconds': `${Math.round(whole)}s`,
  } as CSSProperties;
  return (
    // Long text can be scrolled by keyboard, and moving text stops while it has the focus.
    <div
      className={`captions-box captions-${size} captions-scroll-${scroll}`}
      style={style}
      lang={language === 'zh' ? 'zh-CN' : 'en'}
      tabIndex={0}
      data-testid="captions"
      data-position={position}
      data-size={size}
      data-scroll={scroll}
    >
      <p className="captions-text">{text}</p>
    </div>
  );
}
