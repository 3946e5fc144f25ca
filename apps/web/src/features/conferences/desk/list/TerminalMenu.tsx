import { LIMITS } from '@rmeet/contract';
import { useState } from 'react';
import type { CommandRequest } from '../../shared/commands.ts';
import { useDesk, useDeskPart, type Rights } from '../context.ts';
import { Icon, type IconName } from '../../../../ui/icons.tsx';
import { moved } from '../model/listView.ts';
import type { TerminalRow } from '../model/rows.ts';
import { Popover } from '../../../../ui/Popover.tsx';
import { ScreenItems } from '../screen/ScreenItems.tsx';
import { useT } from '../texts.tsx';
import { cannotText } from '../describe.ts';
import { VolumeSlider } from './VolumeSlider.tsx';

interface TerminalMenuProps {
  row: TerminalRow;
  rights: Rights;
  anchor: HTMLElement;
  onClose: () => void;
}

const HEIGHTS = [720, 360, 180] as const;

/** All actions for one terminal. */
// oxlint-disable-next-line max-lines-per-function -- One flat list of menu items.
export function TerminalMenu({ row, rights, anchor, onClose }: TerminalMenuProps) {
  const t = useT();
  const desk = useDesk();
  const rows = useDeskPart((snapshot) => snapshot.rows);
  const [renaming, setRenaming] = useState(false);
  const { termId, name } = row;
  const order = rows.map((each) => each.termId);
  const at = order.indexOf(termId);
  const act = (command: CommandRequest) => {
    onClose();
    void desk.act(command);
  };
  const open = (change: Parameters<typeof desk.view.set>[0]) => {
    onClose();
    desk.view.set(change);
  };

  const item = (
    verb: CommandRequest['verb'],
    key: Parameters<typeof MenuItem>[0]['does'],
    icon: IconName,
    run: () => void,
  ) => rights.may(verb) && <MenuItem does={key} icon={icon} cannot={rights.cannot(verb, row)} onRun={run} />;

  if (renaming) return <RenameForm row={row} anchor={anchor} onClose={onClose} />;
  return (
    <Popover label={t('menu.title', { name })} anchor={anchor} onClose={onClose} testId={`desk-menu-${termId}`}>
      <p className="desk-menu-name">{name}</p>
      {row.muted
        ? item('mute', 'unmute', 'mic', () => act({ verb: 'mute', termIds: [termId], muted: false }))
        : item('mute', 'mute', 'micOff', () => act({ verb: 'mute', termIds: [termId], muted: true }))}
      {row.muted && item('askUnmute', 'askUnmute', 'hand', () => act({ verb: 'askUnmute', termIds: [termId] }))}
      {row.cameraOff
        ? item('camera', 'cameraOn', 'camera', () => act({ verb: 'camera', termIds: [termId], open: true }))
        : item('camera', 'cameraOff', 'cameraOff', () => act({ verb: 'camera', termIds: [termId], open: false }))}
      {rights.may('volume') && (
        <VolumeSlider termId={termId} volume={row.volume} cannot={rights.cannot('volume', row)} />
      )}
      {rights.may('limitVideo') && (
        <label className="desk-menu-field">
          {t('menu.limitVideo')}
          <select
            className="select"
            value={row.maxHeight ?? 0}
            disabled={rights.cannot('limitVideo', row) !== null}
            data-testid="desk-menu-limit"
            onChange={(event) =>
              act({
                verb: 'limitVideo',
                termIds: [termId],
                maxHeight: (Number(event.target.value) || null) as CommandRequest<'limitVideo'>['maxHeight'],
              })
            }
          >
            <option value={0}>{t('menu.noLimit')}</option>
            {HEIGHTS.map((height) => (
              <option key={height} value={height}>
                {t('menu.lines', { height })}
              </option>
            ))}
          </select>
        </label>
      )}
      <hr />
      {!row.chair && item('chairman', 'makeChair', 'chair', () => act({ verb: 'chairman', termId }))}
      {!row.chair &&
        (row.coChair
          ? item('coChairs', 'coChairOff', 'chair', () => act({ verb: 'coChairs', termIds: [termId], appoint: false }))
          : item('coChairs', 'coChair', 'chair', () => act({ verb: 'coChairs', termIds: [termId], appoint: true })))}
      {item('rename', 'rename', 'edit', () => setRenaming(true))}
      {row.top
        ? item('top', 'topOff', 'top', () => act({ verb: 'top', termId, top: false }))
        : item('top', 'top', 'top', () => act({ verb: 'top', termId, top: true }))}
      {at > 0 &&
        item('sort', 'moveUp', 'sort', () =>
          act({ verb: 'sort', termIds: moved(order, termId, order[at - 1] ?? null) }),
        )}
      {at < order.length - 1 &&
        item('sort', 'moveDown', 'sort', () =>
          act({ verb: 'sort', termIds: moved(order, termId, order[at + 2] ?? null) }),
        )}
      <ScreenItems row={row} rights={rights} onClose={onClose} />
      <hr />
      <MenuItem does="streams" icon="streams" cannot={null} onRun={() => open({ streamsOf: termId })} />
      {item('sendBack', 'sendBack', 'door', () => act({ verb: 'sendBack', termIds: [termId] }))}
      {item('remove', 'remove', 'remove', () => act({ verb: 'remove', termIds: [termId], canReturn: true }))}
      {item('remove', 'removeForGood', 'remove', () => act({ verb: 'remove', termIds: [termId], canReturn: false }))}
    </Popover>
  );
}

type MenuKey =
  | 'mute'
  | 'unmute'
  | 'askUnmute'
  | 'cameraOn'
  | 'cameraOff'
  | 'makeChair'
  | 'coChair'
  | 'coChairOff'
  | 'rename'
  | 'top'
  | 'topOff'
  | 'moveUp'
  | 'moveDown'
  | 'streams'
  | 'sendBack'
  | 'remove'
  | 'removeForGood';

function MenuItem({
  does,
  icon,
  cannot,
  onRun,
}: {
  does: MenuKey;
  icon: IconName;
  cannot: string | null;
  onRun: () => void;
}) {
  const t = useT();
  const why = cannot === null ? null : cannotText(cannot, t);
  return (
    <button
      type="button"
      className={does.startsWith('remove') ? 'desk-choice desk-choice-danger' : 'desk-choice'}
      aria-disabled={why === null ? undefined : true}
      data-testid={`desk-menu-${does}`}
      onClick={() => {
        if (why === null) onRun();
      }}
    >
      <Icon name={icon} size={18} />
      <span>
        {t(`menu.${does}`)}
        {why !== null && <small>{why}</small>}
      </span>
    </button>
  );
}

function RenameForm({
  row: { termId, name },
  anchor,
  onClose,
}: {
  row: TerminalRow;
  anchor: HTMLElement;
  onClose: () => void;
}) {
  const t = useT();
  const desk = useDesk();
  const [typed, setTyped] = useState(name);
  return (
    <Popover label={t('menu.rename')} anchor={anchor} onClose={onClose} testId="desk-rename">
      <form
        className="desk-menu-form"
        onSubmit={(event) => {
          event.preventDefault();
          if (typed.trim() === '') return;
          onClose();
          if (typed.trim() !== name) void desk.act({ verb: 'rename', termId, name: typed.trim() });
        }}
      >
        <label>
          {t('menu.newName')}
          <input
            value={typed}
            maxLength={LIMITS.displayName}
            data-testid="desk-rename-name"
            onChange={(event) => setTyped(event.target.value)}
            onFocus={(event) => event.target.select()}
          />
        </label>
        <button type="submit" className="button button-primary" data-testid="desk-rename-save">
          {t('save')}
        </button>
      </form>
    </Popover>
  );
}
