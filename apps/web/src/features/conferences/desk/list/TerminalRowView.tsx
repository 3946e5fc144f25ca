import { memo, useState, type DragEvent, type MouseEvent } from 'react';
import { useDesk, type Rights } from '../context.ts';
import { Icon } from '../../../../ui/icons.tsx';
import { DRAGGED } from '../model/drag-type.ts';
import { roleOf } from '../model/listView.ts';
import type { TerminalRow } from '../model/rows.ts';
import { ActionButton } from '../components/ActionButton.tsx';
import { ScreenMarks } from '../screen/ScreenMarks.tsx';
import { Quality } from '../components/Quality.tsx';
import { deviceKind, stateOf } from '../model/terminal-state.ts';
import { useT } from '../texts.tsx';
import { failureText } from '../describe.ts';
import { CameraButton, MicrophoneButton, OnAirButton } from './buttons.tsx';
import { TerminalMenu } from './TerminalMenu.tsx';

interface TerminalRowViewProps {
  row: TerminalRow;
  /** Position in the list: in px, and as the index for screen readers. */
  top: number;
  index: number;
  rights: Rights;
  selected: boolean;
  tabbable: boolean;
  movable: boolean;
  onFocus: (termId: string) => void;
}

/** One terminal: its state, and its most used actions. */
export const TerminalRowView = memo(function TerminalRowView({
  row,
  top,
  index,
  rights,
  selected,
  tabbable,
  movable,
  onFocus,
}: TerminalRowViewProps) {
  const desk = useDesk();
  const { isOver, dropHandlers } = useDropTarget(row.termId, movable);
  const { termId } = row;
  const state = stateOf(row);
  const classes = [
    'desk-row',
    `desk-row-${state}`,
    selected ? 'desk-row-selected' : '',
    row.onAir ? 'desk-row-air' : '',
    isOver ? 'desk-row-over' : '',
  ];
  const press = (event: MouseEvent) => {
    if (event.target instanceof HTMLElement && event.target.closest('button, input') !== null) return;
    desk.pick(termId, event.shiftKey ? 'range' : event.ctrlKey || event.metaKey ? 'toggle' : 'only');
  };

  return (
    <div
      className={classes.filter(Boolean).join(' ')}
      role="row"
      aria-rowindex={index}
      aria-selected={selected}
      tabIndex={tabbable ? 0 : -1}
      style={{ top }}
      data-testid={`desk-term-${termId}`}
      data-term={termId}
      data-state={state}
      data-muted={row.muted}
      data-on-air={row.onAir}
      onClick={press}
      onFocus={() => onFocus(termId)}
      onContextMenu={(event) => {
        event.preventDefault();
        event.currentTarget.querySelector<HTMLElement>('[data-menu]')?.click();
      }}
      {...dropHandlers}
    >
      <SelectCell row={row} selected={selected} tabbable={tabbable} />
      <ConditionCell row={row} />
      <NameCell row={row} movable={movable} />
      <StateCells row={row} rights={rights} tabbable={tabbable} />
      <MoreCell row={row} rights={rights} tabbable={tabbable} />
    </div>
  );
});

/** Moves a dragged terminal before the row it is dropped on. */
function useDropTarget(termId: string, movable: boolean) {
  const desk = useDesk();
  const [isOver, setOver] = useState(false);
  const accepts = (event: DragEvent) => movable && event.dataTransfer.types.includes(DRAGGED);
  const dropHandlers = {
    onDragOver: (event: DragEvent) => {
      if (!accepts(event)) return;
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      setOver(false);
      if (!accepts(event)) return;
      event.preventDefault();
      desk.move(event.dataTransfer.getData(DRAGGED), termId);
    },
  };
  return { isOver, dropHandlers };
}

type CellProps = Pick<TerminalRowViewProps, 'row' | 'rights' | 'tabbable'>;

function SelectCell({ row: { termId, name }, selected, tabbable }: Omit<CellProps, 'rights'> & { selected: boolean }) {
  const t = useT();
  const desk = useDesk();
  return (
    <span className="desk-cell-pick" role="gridcell">
      <input
        type="checkbox"
        checked={selected}
        tabIndex={tabbable ? 0 : -1}
        aria-label={t('list.select', { name })}
        onChange={(event) =>
          desk.pick(termId, (event.nativeEvent as globalThis.MouseEvent).shiftKey ? 'range' : 'toggle')
        }
      />
    </span>
  );
}

function ConditionCell({ row }: Pick<CellProps, 'row'>) {
  const t = useT();
  const state = stateOf(row);
  return (
    <span className="desk-cell-state" role="gridcell">
      <span
        className={`desk-state desk-state-${state}`}
        title={row.failed === null ? undefined : failureText(row.failed, t)}
      >
        {t(`state.${state}`)}
      </span>
    </span>
  );
}

function NameCell({ row, movable }: Pick<TerminalRowViewProps, 'row' | 'movable'>) {
  const t = useT();
  const { termId, name } = row;
  return (
    <span className="desk-cell-name" role="gridcell">
      {movable && (
        <span
          className="desk-drag"
          draggable
          title={t('list.drag')}
          aria-hidden="true"
          onDragStart={(event) => event.dataTransfer.setData(DRAGGED, termId)}
        >
          <Icon name="drag" size={16} />
        </span>
      )}
      {row.top && (
        <span className="desk-mark" title={t('list.top')}>
          <Icon name="top" size={14} />
          <span className="visually-hidden">{t('list.top')}</span>
        </span>
      )}
      <span className="desk-name" title={name}>
        {name}
      </span>
      {row.role === 'member' && !row.invited && (
        <span className="desk-tag" data-testid="desk-not-invited">
          {t('role.notInvited')}
        </span>
      )}
      <ScreenMarks row={row} />
      {row.volume !== 100 && <span className="desk-tag">{t('list.volume', { volume: row.volume })}</span>}
      {row.maxHeight !== null && <span className="desk-tag">{t('list.limited', { height: row.maxHeight })}</span>}
    </span>
  );
}

function StateCells({ row, rights, tabbable }: CellProps) {
  const t = useT();
  return (
    <>
      <span className="desk-cell-department" role="gridcell" title={row.department}>
        {row.department}
      </span>
      <span className="desk-cell-device" role="gridcell">
        {t(`device.${deviceKind(row.deviceType)}`)}
      </span>
      <span className="desk-cell-microphone" role="gridcell">
        <MicrophoneButton row={row} rights={rights} tabbable={tabbable} />
      </span>
      <span className="desk-cell-camera" role="gridcell">
        <CameraButton row={row} rights={rights} tabbable={tabbable} />
      </span>
      <span className="desk-cell-onAir" role="gridcell">
        <OnAirButton row={row} rights={rights} tabbable={tabbable} />
      </span>
      <span className="desk-cell-role" role="gridcell">
        <span className={`desk-role desk-role-${roleOf(row)}`}>{t(`role.${roleOf(row)}`)}</span>
      </span>
      <span className="desk-cell-hand" role="gridcell">
        {row.handRaisedAt !== null && (
          <span className="desk-hand" title={t('list.handUp')}>
            <Icon name="hand" size={18} />
            <span className="visually-hidden">{t('list.handUp')}</span>
          </span>
        )}
      </span>
      <QualityCell row={row} tabbable={tabbable} />
      <span className="desk-cell-latency" role="gridcell">
        {row.late ? '…' : row.latency === null ? '' : t('list.latency', { latency: row.latency })}
      </span>
    </>
  );
}

function QualityCell({ row, tabbable }: Omit<CellProps, 'rights'>) {
  const t = useT();
  const desk = useDesk();
  const { termId, name } = row;
  return (
    <span className="desk-cell-quality" role="gridcell">
      <button
        type="button"
        className="desk-quality-button"
        tabIndex={tabbable ? 0 : -1}
        title={t('streams.open', { name })}
        data-testid={`desk-streams-${termId}`}
        onClick={() => desk.view.set({ streamsOf: termId })}
      >
        <span className="visually-hidden">{t('streams.open', { name })}</span>
        <Quality quality={row.quality} loss={row.loss} />
        {row.cause !== null && <Icon name="warning" size={14} />}
      </button>
    </span>
  );
}

function MoreCell({ row, rights, tabbable }: CellProps) {
  const t = useT();
  const desk = useDesk();
  const [menu, setMenu] = useState<HTMLElement | null>(null);
  const { termId, name } = row;
  return (
    <span className="desk-cell-more" role="gridcell">
      {rights.may('remove') && (
        <ActionButton
          bare
          icon="remove"
          size={18}
          label={t('list.remove', { name })}
          tabIndex={tabbable ? 0 : -1}
          cannot={rights.cannot('remove', row)}
          data-testid={`desk-remove-${termId}`}
          onAction={() => desk.view.set({ removing: [termId] })}
        />
      )}
      <ActionButton
        bare
        icon="more"
        size={18}
        label={t('list.more', { name })}
        tabIndex={tabbable ? 0 : -1}
        data-menu=""
        aria-haspopup="dialog"
        aria-expanded={menu !== null}
        data-testid={`desk-more-${termId}`}
        onAction={(button) => setMenu((open) => (open === null ? button : null))}
      />
      {menu !== null && <TerminalMenu row={row} rights={rights} anchor={menu} onClose={() => setMenu(null)} />}
    </span>
  );
}
