import { useEffect, useState } from 'react';
import { DebouncedCall } from '../../../../lib/debounce.ts';
import { useDesk } from '../context.ts';
import { useT } from '../texts.tsx';

/** Delay after the last change, so that one slide is one command; ms. */
const SETTLED = 300;

/** How loud the others hear a terminal. */
export function VolumeSlider({ termId, volume, cannot }: { termId: string; volume: number; cannot: string | null }) {
  const t = useT();
  const desk = useDesk();
  const [wanted, setWanted] = useState(volume);
  const [steps] = useState(() => new DebouncedCall(SETTLED));

  const slide = (next: number) => {
    setWanted(next);
    steps.next(() => void desk.act({ verb: 'volume', termId, volume: next }));
  };
  // A value set just before the menu closes is sent, too.
  useEffect(() => () => steps.flush(), [steps]);

  return (
    <label className="desk-menu-field">
      {t('menu.volume')}
      <input
        type="range"
        min={0}
        max={100}
        step={5}
        value={wanted}
        disabled={cannot !== null}
        aria-valuetext={t('list.volume', { volume: wanted })}
        data-testid="desk-menu-volume"
        onChange={(event) => slide(Number(event.target.value))}
      />
      <output>{wanted}</output>
    </label>
  );
}
