import { useEffect, useRef, useState, type DragEvent } from 'react';
import { ActionButton } from '../components/ActionButton.tsx';
import { moved } from '../model/listView.ts';
import { useT } from '../texts.tsx';
import type { NameOf } from '../model/names.ts';

const DRAGGED = 'application/x-rmeet-turn';

/** Terminals in an order: dragged, or moved and taken off by buttons. */
export function OrderList({
  termIds,
  nameOf,
  onChange,
}: {
  termIds: readonly string[];
  nameOf: NameOf;
  onChange: (termIds: string[]) => void;
}) {
  const t = useT();
  const [over, setOver] = useState<string | null>(null);
  const list = useRef<HTMLOListElement>(null);
  const moving = useRef<{ termId: string; way: 'up' | 'down' } | null>(null);
  // What moves in the page loses the focus, and so does a button that is off at the end.
  useEffect(() => {
    if (moving.current === null) return;
    const { termId, way } = moving.current;
    moving.current = null;
    const buttons = [
      ...(list.current?.querySelectorAll<HTMLButtonElement>(`[data-term="${termId}"] [data-way]:not(:disabled)`) ?? []),
    ];
    (buttons.find((button) => button.dataset['way'] === way) ?? buttons[0])?.focus();
  });
  const move = (termId: string, before: string | null, way: 'up' | 'down') => {
    moving.current = { termId, way };
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
              // Dragged down it comes after what it is dropped on: only so does it reach the end.
              if (place !== -1 && from !== termId)
                onChange(moved(termIds, from, place < at ? (termIds[at + 1] ?? null) : termId));
            }}
          >
            <span title={name}>{name}</span>
            <ActionButton
              bare
              icon="previous"
              size={16}
              className="desk-order-up"
              label={t('proceed.up', { name })}
              disabled={at === 0}
              data-way="up"
              onAction={() => move(termId, termIds[at - 1] ?? null, 'up')}
            />
            <ActionButton
              bare
              icon="next"
              size={16}
              className="desk-order-up"
              label={t('proceed.down', { name })}
              disabled={at === termIds.length - 1}
              data-way="down"
              onAction={() => move(termId, termIds[at + 2] ?? null, 'down')}
            />
            <ActionButton
              bare
              icon="close"
              size={16}
              label={t('proceed.drop', { name })}
              onAction={() => onChange(termIds.filter((each) => each !== termId))}
            />
          </li>
        );
      })}
    </ol>
  );
}
