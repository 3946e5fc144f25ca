import { useEffect, useRef, useState } from 'react';
import { useDesk } from '../context.ts';
import { useT } from '../texts.tsx';

/** A slide is one command, not a hundred; ms. */
const SETTLED = 300;

/** How loud a terminal is to the others. */
export function VolumeSlider({ termId, volume, cannot }: { termId: string; volume: number; cannot: string | null }) {
  const t = useT();
  const desk = useDesk();
  const [wanted, setWanted] = useState(volume);
  const pending = useRef<{ timer: ReturnType<typeof setTimeout>; send: () => void } | null>(null);

  const slide = (next: number) => {
    setWanted(next);
    if (pending.current !== null) clearTimeout(pending.current.timer);
    const send = () => {
      pending.current = null;
      void desk.act({ verb: 'volume', termId, volume: next });
    };
    pending.current = { send, timer: setTimeout(send, SETTLED) };
  };
  // What was set just before the menu closes counts, too.
  useEffect(
    () => () => {
      if (pending.current === null) return;
      clearTimeout(pending.current.timer);
      pending.current.send();
    },
    [],
  );

  return (
    <label className="desk-menu-field">
      {t('menu.volume')}
      <input type="range" min={0} max={100} step={5} value={wanted} disabled={cannot !== null} aria-valuetext={t('list.volume', { volume: wanted })} data-testid="desk-menu-volume"
        onChange={(event) => slide(Number(event.target.value))} />
      <output>{wanted}</output>
    </label>
  );
}
