import type { ManagedEntry } from '@rmeet/contract';
import { useTexts } from '../../lib/i18n/index.ts';
import { Button } from '../../ui/Button.tsx';
import { stepTo, type Direction } from './moves.ts';

const DIRECTIONS = [
  ['up', 'ArrowUp', '↑'],
  ['down', 'ArrowDown', '↓'],
  ['in', 'ArrowRight', '→'],
  ['out', 'ArrowLeft', '←'],
] as const;

interface MoveButtonsProps {
  entries: readonly ManagedEntry[];
  selected: ManagedEntry | null;
  onStep: (direction: Direction) => void;
}

/**
 * Moves the selected entry without drag and drop. An unavailable direction stays focusable and explains itself when
 * pressed.
 */
export function MoveButtons({ entries, selected, onStep }: MoveButtonsProps) {
  const t = useTexts('menus');
  return (
    <div className="menu-moves" role="group" aria-label={t('move.label')}>
      {DIRECTIONS.map(([direction, key, arrow]) => {
        const isClosed = selected === null || stepTo(entries, selected.id, direction) === null;
        return (
          <Button
            key={direction}
            aria-disabled={isClosed}
            aria-keyshortcuts={`Alt+${key}`}
            title={t(`move.${direction}`)}
            data-testid={`menu-move-${direction}`}
            onClick={() => onStep(direction)}
          >
            <span aria-hidden="true">{arrow}</span>
            {t(`move.${direction}`)}
          </Button>
        );
      })}
    </div>
  );
}
