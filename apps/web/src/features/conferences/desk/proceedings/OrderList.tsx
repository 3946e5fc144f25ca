import { useEffect, useRef, useState, type DragEvent } from 'react';
import { ActionButton } from '../components/ActionButton.tsx';
import { moved } from '../model/listView.ts';
import { useT } from '../texts.tsx';
import type { NameOf } from '../model/names.ts';

const DRAGGED = 'application/x-rmeet-turn';

interface OrderListProps {
  termIds: readonly string[];
  nameOf: NameOf;
  onChange: (termIds: string[]) => void;
}

/** An ordered list of terminals: sorted by dragging or by buttons, which can also remove. */
export function OrderList({ termIds, nameOf, onChange }: OrderListProps) {
  const t = useT();
  const [over, setOver] = useState<string | null>(null);
  const { list, keepFocus } = useFocusAfterMove();
  const move = (termId: string, before: string | null, way: 'up' | 'down') => {
    keepFocus(termId, way);
    onChange(moved(termIds, termId, before));
  };
  const isDragged = (event: DragEvent): boolean => event.dataTransfer.types.includes(DRAGGED);
  return (
    <ol ref={list} className="desk-order" data-testid="desk-polling-order">
      {termIds.map((termId, at) => {
        const name = nameOf(termId) ?? t('log.somebody');
        return (
          <li
            key={termId}
            draggable
            className={over === termId ? 'desk-order-over' : ''}
            data-term={termId}
            onDragStart={(event) => event.dataTransfer.setData(DRAGGED, termId)}
            onDragOver={(event) => {
              if (!isDragged(event)) return;
              event.preventDefault();
              setOver(termId);
            }}
            onDragLeave={() => setOver(null)}
            onDrop={(event) => {
              event.preventDefault();
              setOver(null);
              const from = event.dataTransfer.getData(DRAGGED);
              const place = termIds.indexOf(from);
              // An item dragged down is inserted after the target: otherwise it could not reach the end.
              if (place !== -1 && from !== termId)
                onChange(moved(termIds, from, place < at ? (termIds[at + 1] ?? null) : termId));
            }}
          >
            <OrderItem
              name={name}
              isFirst={at === 0}
              isLast={at === termIds.length - 1}
              onUp={() => move(termId, termIds[at - 1] ?? null, 'up')}
              onDown={() => move(termId, termIds[at + 2] ?? null, 'down')}
              onRemove={() => onChange(termIds.filter((each) => each !== termId))}
            />
          </li>
        );
      })}
    </ol>
  );
}

/** Moving an item, or disabling its button at the end, loses the focus: this hook restores it. */
function useFocusAfterMove() {
  const list = useRef<HTMLOListElement>(null);
  const moving = useRef<{ termId: string; way: 'up' | 'down' } | null>(null);
  useEffect(() => {
    if (moving.current === null) return;
    const { termId, way } = moving.current;
    moving.current = null;
    const buttons = [
      ...(list.current?.querySelectorAll<HTMLButtonElement>(`[data-term="${termId}"] [data-way]:not(:disabled)`) ?? []),
    ];
    (buttons.find((button) => button.dataset['way'] === way) ?? buttons[0])?.focus();
  });
  const keepFocus = (termId: string, way: 'up' | 'down') => {
    moving.current = { termId, way };
  };
  return { list, keepFocus };
}

interface OrderItemProps {
  name: string;
  isFirst: boolean;
  isLast: boolean;
  onUp: () => void;
  onDown: () => void;
  onRemove: () => void;
}

function OrderItem({ name, isFirst, isLast, onUp, onDown, onRemove }: OrderItemProps) {
  const t = useT();
  return (
    <>
      <span title={name}>{name}</span>
      <ActionButton
        bare
        icon="previous"
        size={16}
        className="desk-order-up"
        label={t('proceed.up', { name })}
        disabled={isFirst}
        data-way="up"
        onAction={onUp}
      />
      <ActionButton
        bare
        icon="next"
        size={16}
        className="desk-order-up"
        label={t('proceed.down', { name })}
        disabled={isLast}
        data-way="down"
        onAction={onDown}
      />
      <ActionButton bare icon="close" size={16} label={t('proceed.drop', { name })} onAction={onRemove} />
    </>
  );
}
