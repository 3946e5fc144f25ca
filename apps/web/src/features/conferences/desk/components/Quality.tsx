import type { TerminalRow } from '../model/rows.ts';
import { useT } from '../texts.tsx';

type QualityProps = Pick<TerminalRow, 'quality' | 'loss'>;

const BARS = { good: 3, poor: 2, lost: 1, unknown: 0 } as const;

/** Three bars and the packet loss, as colour and as text. */
export function Quality({ quality, loss }: QualityProps) {
  const t = useT();
  const lit = BARS[quality];
  const text = t(`quality.${quality}`);
  return (
    <span className={`desk-quality desk-quality-${quality}`} title={text}>
      <svg width="18" height="14" viewBox="0 0 18 14" aria-hidden="true">
        {[0, 1, 2].map((bar) => (
          <rect
            key={bar}
            x={bar * 6}
            y={9 - bar * 4.5}
            width="4"
            height={5 + bar * 4.5}
            rx="1"
            className={bar < lit ? 'desk-bar-lit' : 'desk-bar'}
          />
        ))}
      </svg>
      <span className="visually-hidden">{text}</span>
      {loss !== null && loss > 0 && <span className="desk-loss" title={t('list.loss', { loss })}>{`${loss}%`}</span>}
    </span>
  );
}
